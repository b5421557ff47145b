package dev.ebb.core.limit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An unbroken period in which a limiter had no permit left, so that due jobs waited.
 *
 * @param until when the limiter would have granted again at the latest; it lies ahead while the
 *     shortage lasts
 */
public record Shortage(Instant since, Instant until) {

  /**
   * The shortage behind the last permit. It goes on from the one before, unless that had ended:
   * then the limiter waited for claims, and not they for it.
   *
   * @param before {@code null} for none
   * @param after the state that the last permit left
   */
  public static Shortage after(@Nullable Shortage before, LimiterState after, Instant now) {
    // A claimer that is late by less than a burst window has left the limiter no idle time.
    Instant until = after.nextFreeAt().plus(WarmUpLimiter.BURST_MILLIS, ChronoUnit.MILLIS);
    return new Shortage(before != null && before.contains(now) ? before.since : now, until);
  }

  private boolean contains(Instant instant) {
    return !instant.isBefore(since) && !instant.isAfter(until);
  }

  /** The part of it that has passed. */
  public Shortage until(Instant now) {
    return now.isBefore(until) ? new Shortage(since, now) : this;
  }
}
