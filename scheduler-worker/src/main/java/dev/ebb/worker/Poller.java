package dev.ebb.worker;

import dev.ebb.core.Durations;
import dev.ebb.db.claim.WorkFinder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks for work that no notification told of: 20 ms after a look that found some, when the next
 * job becomes due, and while it finds none, after twice the last wait each time, up to the longest.
 *
 * <p>A look sees what became due. For what no notification told of it also goes through queues,
 * {@value #QUEUES_A_SECOND} a second; through all of them where this node does not listen, did not
 * listen all the time since the last look, or more became due than a look tells of.
 *
 * <p>It has a thread of its own: a slow or failing look does not hold up claims from queues that
 * are known otherwise.
 */
final class Poller {
  /** So with ten thousand queues each is looked at every ten seconds. */
  private static final int QUEUES_A_SECOND = 1_000;

  private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);

  /** If looks are slow, they use at most 1/20 of the time. */
  private static final int SHARE = 20;

  /** Spreads the nodes that wait for the same job. */
  private static final long APART_NANOS = Duration.ofMillis(50).toNanos();

  private final WorkFinder finder;
  private final List<String> kinds;
  private final @Nullable List<String> queues;
  private final Duration longestWait;
  private final IntSupplier listensBy;
  private final Predicate<String> onFound;
  private final LongSupplier nanoTime;
  private Duration wait = SHORTEST_WAIT;
  private WorkFinder.Place place = WorkFinder.Place.BEGINNING;
  private long lookedNanos;
  private int listenedBy;
  private boolean hasOverflowed;

  /**
   * A poller that has not begun.
   *
   * @param listensBy the connection by which this node hears of new work; 0 for none
   * @param onFound told of each queue with work; answers whether that was news
   */
  Poller(
      WorkFinder finder,
      List<String> kinds,
      WorkerConfig config,
      IntSupplier listensBy,
      Predicate<String> onFound) {
    this(finder, kinds, config, listensBy, onFound, System::nanoTime);
  }

  /** The same by another clock. */
  Poller(
      WorkFinder finder,
      List<String> kinds,
      WorkerConfig config,
      IntSupplier listensBy,
      Predicate<String> onFound,
      LongSupplier nanoTime) {
    this.finder = finder;
    this.kinds = kinds;
    this.queues = config.queues();
    this.longestWait = config.longestPoll();
    this.listensBy = listensBy;
    this.onFound = onFound;
    this.nanoTime = nanoTime;
  }

  /** Looks once, and answers how long to wait for the next time. */
  Duration step() throws SQLException {
    long start = nanoTime.getAsLong();
    WorkFinder.Found found = look(start);
    boolean isNews = false;
    for (String queue : found.queues()) {
      isNews |= onFound.test(queue);
    }
    wait = isNews ? SHORTEST_WAIT : twice(wait);
    return paced(nanoTime.getAsLong() - start, found.untilNext());
  }

  private WorkFinder.Found look(long now) throws SQLException {
    int listens = listensBy.getAsInt();
    boolean hearsAll = listens != 0 && listens == listenedBy && !hasOverflowed;
    WorkFinder.Place from = hearsAll ? place : place.fromTheFirst();
    int most = hearsAll ? stretch(now - lookedNanos) : Integer.MAX_VALUE;
    WorkFinder.Found found = finder.find(kinds, queues, from, most, longestWait.multipliedBy(2));
    lookedNanos = now;
    listenedBy = listens;
    hasOverflowed = found.overflowed();
    place = found.next();
    return found;
  }

  private static int stretch(long nanosSinceLast) {
    return (int) Math.min(1 + nanosSinceLast / 1e9 * QUEUES_A_SECOND, Integer.MAX_VALUE);
  }

  private Duration twice(Duration wait) {
    return Durations.min(wait.multipliedBy(2), longestWait);
  }

  /** With jitter, so that nodes do not look in step. */
  private Duration paced(long tookNanos, @Nullable Duration untilNext) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long nanos = (long) (wait.toNanos() * random.nextDouble(0.75, 1.25));
    if (untilNext != null) {
      nanos = Math.min(nanos, untilNext.toNanos() + random.nextLong(APART_NANOS));
    }
    long least = Math.max(SHORTEST_WAIT.toNanos(), SHARE * tookNanos);
    return Duration.ofNanos(Math.max(nanos, Math.min(least, longestWait.toNanos())));
  }
}
