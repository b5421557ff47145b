package dev.ebb.worker;

import static java.util.Objects.requireNonNull;

import dev.ebb.db.connection.Patience;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.loop.Pause;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The queues whose last claim failed or took long: they are claimed from on a thread of their own,
 * each with a pause of its own, until a claim is quick again. So they keep no other queue waiting.
 */
final class SlowQueues {
  private static final String PART = "claims";
  private static final Duration REST = Duration.ofHours(1);

  /** A claim that is no slower than this may go back to the others. */
  private static final Duration QUICK = Duration.ofMillis(250);

  /** The wait for a lock is short: it is asked for again instead. */
  private static final Duration LOCK = Duration.ofMillis(50);

  private final Claims claims;
  private final Patience patience;
  private final FailureLog failureLog;
  private final Consumer<String> onQuick;
  private final Map<String, Pause> pauses = new ConcurrentHashMap<>();
  private final Loop loop;

  /**
   * Without any queue yet.
   *
   * @param longest how long a claim may take here
   * @param onQuick told of a queue that is quick again
   */
  SlowQueues(Claims claims, Duration longest, FailureLog failureLog, Consumer<String> onQuick) {
    this.claims = claims;
    this.patience = new Patience(LOCK, longest);
    this.failureLog = failureLog;
    this.onQuick = onQuick;
    this.loop = new Loop("slow-queues", failureLog, this::step);
  }

  Loop loop() {
    return loop;
  }

  /** Takes over a queue, which the caller must leave alone as long as it is here. */
  void add(String queue, Exception why) {
    failureLog.failed(PART, name(queue), why);
    pauses.put(queue, Pause.first());
    loop.wake();
  }

  boolean contains(String queue) {
    return pauses.containsKey(queue);
  }

  private Duration step() {
    long untilNext = REST.toNanos();
    for (Map.Entry<String, Pause> entry : pauses.entrySet()) {
      if (entry.getValue().leftNanos() <= 0) {
        claim(entry.getKey(), entry.getValue());
      }
    }
    for (Pause pause : pauses.values()) {
      untilNext = Math.min(untilNext, pause.leftNanos());
    }
    return Duration.ofNanos(Math.max(0, untilNext));
  }

  private void claim(String queue, Pause pause) {
    long start = System.nanoTime();
    try {
      Claims.Came came = requireNonNull(claims.claim(List.of(queue), patience).get(queue));
      boolean isQuick = System.nanoTime() - start < QUICK.toNanos();
      if (isQuick && came.what() != Claims.ClaimYield.NO_ROOM) {
        pauses.remove(queue);
        failureLog.recovered(PART, name(queue));
        onQuick.accept(queue);
      } else {
        pauses.put(queue, Pause.first());
      }
    } catch (SQLException | RuntimeException e) {
      failureLog.failed(PART, name(queue), e);
      pauses.put(queue, pause.next());
    }
  }

  private static String name(String queue) {
    return "queue " + queue;
  }
}
