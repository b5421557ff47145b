package dev.ebb.core.health;

import java.time.Duration;

/**
 * How long claims of a process took lately.
 *
 * @param claims since it started
 * @param middle half of the latest took no longer; zero if there were none lately
 * @param slow one in a hundred took longer
 */
public record ClaimTimes(long claims, Duration middle, Duration slow) {
  /** The metric of a process that measures them. */
  public static final String METER = "ebb.claims";

  /** What the metric tells of them. */
  public static double[] quantiles() {
    return new double[] {0.5, 0.99};
  }
}
