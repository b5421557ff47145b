package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a queue's limiter stands.
 *
 * @param phase {@code unlimited}, and nothing else is there, {@code cold}, {@code warming} or
 *     {@code warm}
 * @param stableRate permits a second when warm: the configured ones, or what throttling leaves
 * @param throttledAt when the rate was cut; absent once it has recovered
 */
public record Limiter(
    String phase,
    double currentRate,
    double stableRate,
    double configuredRate,
    double coldRate,
    double storedPermits,
    double maxPermits,
    @Nullable Instant warmAt,
    @Nullable Instant throttledAt,
    List<Point> curve) {

  public Limiter {
    curve = Objects.requireNonNullElse(curve, List.of());
  }

  /** A point of the curve at the configured rate, from cold. */
  public record Point(double seconds, double rate, double permits) {}

  /** Whether there is a limit. */
  public boolean isLimited() {
    return !curve.isEmpty();
  }

  /** The share of the configured rate that throttling leaves. */
  public double share() {
    return stableRate / configuredRate;
  }

  /** Whether the receiver throttled, and the rate has not recovered. */
  public boolean isCut() {
    return throttledAt != null;
  }
}
