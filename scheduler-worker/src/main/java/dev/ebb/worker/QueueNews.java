package dev.ebb.worker;

import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * What the database is to be told of queues, beside the settlements: no settlement waits for a
 * queue's lock. It has a thread of its own.
 *
 * <p>The news of each queue is told at most five times a second, as it is when its turn comes, and
 * the queues take turns in the order in which theirs became urgent: however slow some are, and
 * however fast more comes of the others, each has its turn.
 *
 * <p>News that cannot be told is told once more, with what came meanwhile, and then left out.
 *
 * @param <N> the news of one queue
 */
final class QueueNews<N> {
  static final Duration PAUSE = Duration.ofMillis(200);
  static final Duration REST = Duration.ofHours(1);

  /** Tells the news of a queue. */
  @FunctionalInterface
  interface Teller<N> {
    void tell(String queue, N news) throws SQLException;
  }

  private final String part;
  private final FailureLog failureLog;
  private final BinaryOperator<N> plus;
  private final Predicate<N> isUrgent;
  private final Teller<N> teller;
  private final Map<String, N> kept = new ConcurrentHashMap<>();

  /** The queues with urgent news, the longest waiting first. */
  private final Set<String> turns = Collections.synchronizedSet(new LinkedHashSet<>());

  /** The queues whose news could not be told the last time. */
  private final Set<String> failed = new HashSet<>();

  private final Loop loop;
  private volatile boolean rests;

  /**
   * One without news.
   *
   * @param part of the node, as {@link FailureLog} has it, and the name of the thread
   * @param plus earlier news of a queue together with later
   * @param isUrgent what must be told; other news is kept, and goes with what comes later
   */
  QueueNews(
      String part,
      FailureLog failureLog,
      BinaryOperator<N> plus,
      Predicate<N> isUrgent,
      Teller<N> teller) {
    this.part = part;
    this.failureLog = failureLog;
    this.plus = plus;
    this.isUrgent = isUrgent;
    this.teller = teller;
    this.loop = new Loop(part, failureLog, this::step);
  }

  Loop loop() {
    return loop;
  }

  /** There is news of a queue. */
  void add(String queue, N news) {
    if (isUrgent.test(kept.merge(queue, news, plus))) {
      turns.add(queue);
      if (rests) {
        loop.wake();
      }
    }
  }

  Duration step() {
    // Set before the check: a caller that comes after the check finds it resting, and wakes it.
    rests = true;
    if (turns.isEmpty()) {
      return REST;
    }
    rests = false;
    tellUrgent();
    return PAUSE;
  }

  /** Tells what is urgent, once the loop has ended. */
  void flush() {
    tellUrgent();
  }

  private void tellUrgent() {
    for (String queue : List.copyOf(turns)) {
      turns.remove(queue);
      N news = kept.remove(queue);
      if (news != null) {
        tell(queue, news);
      }
    }
  }

  private void tell(String queue, N news) {
    String what = "queue " + queue;
    boolean isAgain = failed.remove(queue);
    try {
      teller.tell(queue, news);
      failureLog.recovered(part, what);
    } catch (SQLException e) {
      failureLog.failed(part, what, e);
      if (!isAgain) {
        failed.add(queue);
        kept.merge(queue, news, (later, told) -> plus.apply(told, later));
        turns.add(queue);
      }
    }
  }
}
