package dev.ebb.db.view;

import dev.ebb.core.limit.Shortage;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt waited for between its due instant and its start.
 *
 * @param limiter while the limiter of its queue had no permit left
 * @param slot the rest: for a free slot, a node that runs, {@code maxConcurrency}, or the end of a
 *     pause
 */
public record AttemptWait(Duration limiter, Duration slot) {

  /** Splits the wait; a clock that was set back leaves nothing to split. */
  static AttemptWait of(Instant since, Instant started, @Nullable Shortage shortage) {
    Duration limiter =
        shortage == null
            ? Duration.ZERO
            : between(later(since, shortage.since()), earlier(started, shortage.until()));
    return new AttemptWait(limiter, between(since, started).minus(limiter));
  }

  private static Duration between(Instant from, Instant until) {
    return until.isAfter(from) ? Duration.between(from, until) : Duration.ZERO;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
