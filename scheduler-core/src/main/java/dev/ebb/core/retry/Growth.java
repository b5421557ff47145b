package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireDuration;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;

/**
 * Truncated exponential growth: {@code min(cap, base · factor^(n-1))} after the n-th failure.
 *
 * <pre>
 *   cap ┤              ●────●────●
 *       │
 *       │         ●
 *  base ┤    ●
 *       └────┬────┬────┬────┬────┬──▶ n
 *            1    2    3    4    5
 * </pre>
 *
 * @param base the first ceiling, PT0S to the cap
 * @param factor by which each failure multiplies it, 1 to 100
 * @param cap where it stops growing, PT0S to P3650D
 */
public record Growth(Duration base, double factor, Duration cap) {
  /**
   * A product that is a whole number of nanoseconds has at most 76 digits (18 before the point; 58
   * after it, since base holds every power of the factor's denominator), so it comes out exact; any
   * other is off by less than 10^-80 of itself.
   */
  private static final MathContext DIGITS = new MathContext(100);

  /** The largest exponent that {@link BigDecimal#pow(int, MathContext)} takes. */
  private static final int MAX_EXPONENT = 999_999_999;

  public Growth {
    requireDuration(base, "base");
    requireDuration(cap, "cap");
    require(base.compareTo(cap) <= 0, "base", "must not be longer than cap");
    require(factor >= 1 && factor <= 100, "factor", "must be between 1 and 100");
  }

  /**
   * The ceiling after the n-th failure, exact to the nanosecond (rounded down); the factor counts
   * as its shortest decimal, so that 1.1 is eleven tenths. Neither overflows nor slows down for any
   * n.
   *
   * @param n from 1
   */
  public Duration ceiling(int n) {
    require(n >= 1, "n", "must be 1 or more");
    double estimate = base.toNanos() * Math.pow(factor, n - 1);
    if (estimate > 2.0 * cap.toNanos()) {
      return cap;
    }
    BigDecimal power = BigDecimal.valueOf(factor).pow(Math.min(n - 1, MAX_EXPONENT), DIGITS);
    return times(base, power, cap);
  }

  /** The same growth from a base that is scaled, but not beyond the cap. */
  Growth scaled(double scale) {
    return new Growth(times(base, BigDecimal.valueOf(scale), cap), factor, cap);
  }

  /** The product, rounded down to the nanosecond and cut at the limit. */
  static Duration times(Duration duration, BigDecimal scale, Duration limit) {
    BigDecimal nanos = BigDecimal.valueOf(duration.toNanos()).multiply(scale);
    return Duration.ofNanos(nanos.min(BigDecimal.valueOf(limit.toNanos())).longValue());
  }
}
