package dev.ebb.core.limit;

import java.time.Duration;
import java.time.Instant;

/** Tells how long the last of several jobs waits for a permit, if all demand is theirs. */
public final class PermitWait {
  private static final Duration LEAST_STEP = Duration.ofMillis(1);

  private PermitWait() {}

  /**
   * When that many permits have been granted; now, if they are granted at once.
   *
   * @param permits how many, 1 or more; the work grows with them
   */
  public static Instant until(RateLimit limit, LimiterState state, Instant now, int permits) {
    WarmUpLimiter limiter = new WarmUpLimiter(limit);
    LimiterState reached = state;
    Instant at = now;
    int left = permits;
    while (true) {
      WarmUpLimiter.Grant grant = limiter.take(reached, at, left);
      left -= grant.permits();
      if (left <= 0) {
        return at;
      }
      reached = grant.state();
      Instant least = at.plus(LEAST_STEP);
      at = grant.askAgainAt().isBefore(least) ? least : grant.askAgainAt();
    }
  }
}
