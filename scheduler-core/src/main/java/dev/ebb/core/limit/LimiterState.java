package dev.ebb.core.limit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link WarmUpLimiter}.
 *
 * @param coldness the stored permits as a share of the most that can be stored, 0 to 1; a share, so
 *     that it keeps its meaning when the limit changes
 * @param nextFreeAt when all permits that were granted are paid for; never behind the clock for
 *     long, and ahead of it by no more than a burst window and one permit
 * @param cut the last cut because the receiver throttled; {@code null} if there was none
 */
public record LimiterState(double coldness, Instant nextFreeAt, @Nullable RateCut cut) {

  /** A limiter that was not used for a warm-up period or longer. */
  public static LimiterState cold(Instant now) {
    return new LimiterState(1, now, null);
  }

  /** The share of the stable rate that the last cut leaves now, up to 1. */
  public double share(Instant now) {
    return cut == null ? 1 : cut.share(now);
  }

  /** The same, but without a cut in the future of a clock that was set back. */
  LimiterState withCutNotAfter(Instant now) {
    return cut == null ? this : new LimiterState(coldness, nextFreeAt, cut.notAfter(now));
  }

  /** The same, but as if it had been used until now: the time since then is no idle time. */
  public LimiterState usedUntil(Instant now) {
    return now.isAfter(nextFreeAt) ? new LimiterState(coldness, now, cut) : this;
  }

  /** The same, but cold: the warm-up restarts. Granted permits stay paid. */
  public LimiterState restarted() {
    return new LimiterState(1, nextFreeAt, cut);
  }

  /**
   * The same after a pause that ended by itself: the warm-up restarts, unless permits were granted
   * since.
   *
   * @param pauseEnd when it ended; {@code null} if there was none
   */
  public LimiterState after(@Nullable Instant pauseEnd) {
    return pauseEnd != null && nextFreeAt.isBefore(pauseEnd) ? restarted() : this;
  }
}
