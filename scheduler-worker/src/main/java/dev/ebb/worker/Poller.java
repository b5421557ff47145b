package dev.ebb.worker;

import dev.ebb.db.claim.WorkFinder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Polls all queues for work that no notification told of: 20 ms after a poll that found some, and
 * while it finds none, after twice the last wait each time, up to the longest.
 *
 * <p>It has a thread of its own: a slow or failing poll does not hold up claims from queues that
 * are known otherwise.
 */
final class Poller {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);

  /** If polls are slow, they use at most 1/20 of the time. */
  private static final int SHARE = 20;

  private final WorkFinder finder;
  private final List<String> kinds;
  private final @Nullable List<String> queues;
  private final Duration longestWait;
  private final Predicate<String> onFound;
  private Duration wait = SHORTEST_WAIT;

  /**
   * A poller that has not begun.
   *
   * @param onFound told of each queue with work; answers whether that was news
   */
  Poller(WorkFinder finder, List<String> kinds, WorkerConfig config, Predicate<String> onFound) {
    this.finder = finder;
    this.kinds = kinds;
    this.queues = config.queues();
    this.longestWait = config.longestPoll();
    this.onFound = onFound;
  }

  /** Polls once, and answers how long to wait for the next. */
  Duration step() throws SQLException {
    long start = System.nanoTime();
    boolean isNews = false;
    for (String queue : finder.queuesWithWork(kinds, queues)) {
      isNews |= onFound.test(queue);
    }
    wait = isNews ? SHORTEST_WAIT : twice(wait);
    return paced(System.nanoTime() - start);
  }

  private Duration twice(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(longestWait) < 0 ? twice : longestWait;
  }

  /** With jitter, so that nodes do not poll in step. */
  private Duration paced(long tookNanos) {
    long share = Math.min(SHARE * tookNanos, longestWait.toNanos());
    double jitter = ThreadLocalRandom.current().nextDouble(0.75, 1.25);
    return Duration.ofNanos((long) (Math.max(wait.toNanos(), share) * jitter));
  }
}
