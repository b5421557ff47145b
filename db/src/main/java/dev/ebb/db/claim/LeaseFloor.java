package dev.ebb.db.claim;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An id below which a queue has no lease, so that a claim need not walk over those that ended: an
 * old snapshot keeps their rows.
 *
 * <p>Ids are times by the database's clock, and a new lease is written under the queue's lock: so
 * if a claim saw none below an id, there will be none, unless the clock is set back. Therefore it
 * lies {@link #SLACK} lower, holds for no longer than that, and not where the clock shows an
 * earlier time than it did then. If the clock is set back and forward within that time, a job may
 * be claimed beside a lease.
 *
 * @param id no live lease has a lesser one
 * @param readAt when that was read, by the database's clock; {@code null} for never
 * @param readNanos the same by this node's monotonic clock
 */
record LeaseFloor(long id, @Nullable Instant readAt, long readNanos) {
  static final LeaseFloor NONE = new LeaseFloor(0, null, 0);

  private static final Duration SLACK = Duration.ofSeconds(5);

  /** An id is the microseconds of its time, and three digits more. */
  private static final long IDS_A_SECOND = 1_000_000_000;

  /** What a look tells that saw this lease as the first; {@code null} if it saw none. */
  static LeaseFloor of(@Nullable Long first, Instant readAt, long readNanos) {
    long now = readAt.getEpochSecond() * IDS_A_SECOND;
    long lowest = first == null ? now : Math.min(first, now);
    return new LeaseFloor(lowest - SLACK.toSeconds() * IDS_A_SECOND, readAt, readNanos);
  }

  /** The same as long as it holds, otherwise none. */
  LeaseFloor at(long nowNanos) {
    return nowNanos - readNanos < SLACK.toNanos() ? this : NONE;
  }
}
