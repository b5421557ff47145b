package dev.ebb.core.limit;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;

/**
 * How fast a queue's jobs may start, in the whole cluster.
 *
 * @param permitsPerSecond the stable rate, {@value #MIN_RATE} to {@value #MAX_RATE}
 * @param warmUp how long the way from the cold rate to the stable rate takes under full demand,
 *     PT0S to P1D; zero for a fixed rate
 * @param coldFactor how many times slower the cold rate is, 1 to 100; there must be at least one
 *     permit an hour when cold
 * @param throttleFactor what the rate is multiplied with when the receiver throttles, 0.1 to 1; 1
 *     for not at all
 */
public record RateLimit(
    double permitsPerSecond, Duration warmUp, double coldFactor, double throttleFactor) {
  public static final double MIN_RATE = 0.001;
  public static final double MAX_RATE = 1_000_000;
  public static final Duration DEFAULT_WARM_UP = Duration.ZERO;

  /** As Guava's and Sentinel's. */
  public static final double DEFAULT_COLD_FACTOR = 3;

  public static final double DEFAULT_THROTTLE_FACTOR = 0.5;

  private static final Duration MAX_WARM_UP = Duration.ofDays(1);
  private static final double HOUR_SECONDS = 3600;

  public RateLimit {
    require(
        permitsPerSecond >= MIN_RATE && permitsPerSecond <= MAX_RATE,
        "permitsPerSecond",
        "must be between 0.001 and 1000000");
    requireBetween(warmUp, Duration.ZERO, MAX_WARM_UP, "warmUp");
    require(coldFactor >= 1 && coldFactor <= 100, "coldFactor", "must be between 1 and 100");
    require(
        coldFactor / permitsPerSecond <= HOUR_SECONDS,
        "coldFactor",
        "must leave a permit an hour: permitsPerSecond / coldFactor must be at least 1/3600");
    require(
        throttleFactor >= 0.1 && throttleFactor <= 1,
        "throttleFactor",
        "must be between 0.1 and 1");
  }

  /** A limit that cuts its rate by half when the receiver throttles. */
  public static RateLimit of(double permitsPerSecond, Duration warmUp, double coldFactor) {
    return new RateLimit(permitsPerSecond, warmUp, coldFactor, DEFAULT_THROTTLE_FACTOR);
  }
}
