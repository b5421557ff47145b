package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * A whole number of slots, uniform in 0 … 2^min(n,{@value #MAX_EXPONENT}) − 1: the truncated binary
 * exponential backoff of IEEE 802.3, with a mean of (2^n − 1)/2 slots.
 *
 * @param slot PT0S to P3D, so that 1023 of them stay below ten years
 */
public record SlotBackoff(Duration slot) implements Backoff {
  static final int MAX_EXPONENT = 10;
  static final Duration MAX_SLOT = Duration.ofDays(3);

  public SlotBackoff {
    requireBetween(slot, Duration.ZERO, MAX_SLOT, "slot");
  }

  @Override
  public Duration earliest(int n) {
    require(n >= 1, "n", "must be 1 or more");
    return Duration.ZERO;
  }

  @Override
  public Duration latest(int n) {
    return slot.multipliedBy(choices(n) - 1L);
  }

  @Override
  public Duration maxDelay() {
    return latest(MAX_EXPONENT);
  }

  /** Scaled up, its delays pass the cap of the original: {@link RetryPolicy#draw} cuts them. */
  @Override
  public Backoff scaled(double scale) {
    return new SlotBackoff(Growth.times(slot, BigDecimal.valueOf(scale), MAX_SLOT));
  }

  @Override
  public Draw draw(int n) {
    int choices = choices(n);
    return (_, random) -> slot.multipliedBy(random.nextInt(choices));
  }

  private static int choices(int n) {
    require(n >= 1, "n", "must be 1 or more");
    return 1 << Math.min(n, MAX_EXPONENT);
  }
}
