package dev.ebb.core.stats;

import java.util.OptionalDouble;

/**
 * A part of a whole, as a sample: what it says of the share behind it, by the score interval of 95
 * % (E. B. Wilson, <i>Probable inference, the law of succession, and statistical inference</i>,
 * 1927). A few of few say little: the interval of 1 of 1 begins at 0.21.
 */
public record Proportion(long part, long whole) {
  /** The normal distribution's quantile for 95 % on two sides. */
  private static final double Z = 1.959964;

  /** The share of the part; empty of nothing. */
  public OptionalDouble share() {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }

  /**
   * By how much the share has risen at least since it was sampled before, negative where it may
   * have fallen: the lower end of the hybrid score interval for a difference (R. G. Newcombe,
   * <i>Interval estimation for the difference between independent proportions: comparison of eleven
   * methods</i>, 1998, method 10). Empty where either is of nothing.
   */
  public OptionalDouble riseAtLeast(Proportion before) {
    if (whole == 0 || before.whole == 0) {
      return OptionalDouble.empty();
    }
    double now = (double) part / whole;
    double then = (double) before.part / before.whole;
    return OptionalDouble.of(now - then - Math.hypot(now - bound(-1), before.bound(1) - then));
  }

  /** An end of the interval: -1 is the lower one, 1 the upper one. */
  private double bound(int side) {
    double share = (double) part / whole;
    double square = Z * Z / whole;
    double half = Z * Math.sqrt(share * (1 - share) / whole + square / (4 * whole));
    return (share + square / 2 + side * half) / (1 + square);
  }
}
