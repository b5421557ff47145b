package dev.ebb.contract;

import java.time.Duration;

/**
 * How fast the jobs of a queue may start.
 *
 * @param permitsPerSecond the stable rate
 * @param warmUp how long it takes from the cold rate to the stable one; zero for a fixed rate
 * @param coldFactor how many times slower the cold rate is
 * @param throttleFactor by what the rate is multiplied when the receiver throttles; 1 for no cut
 */
public record RateLimit(
    double permitsPerSecond, Duration warmUp, double coldFactor, double throttleFactor) {

  /** {@return whether it opens slowly} */
  public boolean warmsUp() {
    return !warmUp.isZero();
  }
}
