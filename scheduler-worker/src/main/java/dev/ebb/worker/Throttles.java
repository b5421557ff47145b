package dev.ebb.worker;

import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import dev.ebb.db.queue.Limiters;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Tells the limiters of throttled attempts, each at most five times a second. It has a thread of
 * its own: no settlement waits for a queue's lock.
 *
 * <p>A limiter that cannot be told is left out, and holds up no other: the next throttled attempt
 * cuts its rate.
 */
final class Throttles {
  private static final String PART = "throttles";
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration REST = Duration.ofHours(1);

  private final Limiters limiters;
  private final Predicate<String> isLimited;
  private final FailureLog failureLog;

  /** By queue, the latest claim of an attempt that was throttled since the limiter was told. */
  private final Map<String, Instant> latest = new ConcurrentHashMap<>();

  private final Loop loop;
  private volatile boolean rests;

  Throttles(Limiters limiters, Predicate<String> isLimited, FailureLog failureLog) {
    this.limiters = limiters;
    this.isLimited = isLimited;
    this.failureLog = failureLog;
    this.loop = new Loop(PART, failureLog, this::step);
  }

  Loop loop() {
    return loop;
  }

  /** A receiver throttled the attempt. */
  void add(ClaimedJob claimed) {
    String queue = claimed.job().queue();
    if (isLimited.test(queue)) {
      latest.merge(queue, claimed.claimedAt(), (one, other) -> one.isAfter(other) ? one : other);
      if (rests) {
        loop.wake();
      }
    }
  }

  private Duration step() {
    // Set before the check: a caller that comes after the check finds it resting, and wakes it.
    rests = true;
    if (latest.isEmpty()) {
      return REST;
    }
    rests = false;
    for (Map.Entry<String, Instant> claim : Map.copyOf(latest).entrySet()) {
      latest.remove(claim.getKey(), claim.getValue());
      tell(claim.getKey(), claim.getValue());
    }
    return PAUSE;
  }

  private void tell(String queue, Instant claimedAt) {
    String what = "queue " + queue;
    try {
      limiters.throttled(queue, claimedAt);
      failureLog.recovered(PART, what);
    } catch (SQLException e) {
      failureLog.failed(PART, what, e);
    }
  }
}
