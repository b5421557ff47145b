package dev.ebb.contract;

import java.time.Duration;

/** How fast the jobs of a queue may start. */
public record RateLimit(
    double permitsPerSecond, Duration warmUp, double coldFactor, double throttleFactor) {

  /** Whether it opens slowly. */
  public boolean warmsUp() {
    return !warmUp.isZero();
  }
}
