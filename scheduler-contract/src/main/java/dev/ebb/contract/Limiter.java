package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the limiter of a queue stands.
 *
 * @param phase {@code cold}, {@code warming} or {@code warm}
 * @param currentRate permits a second that full demand would get now
 * @param stableRate what that comes to when warm: the configured rate, or what throttling leaves of
 *     it
 * @param configuredRate permits in a second, once it is warm
 * @param coldRate permits in a second while it is cold
 * @param storedPermits what it has saved while nobody asked
 * @param maxPermits how much it saves at most
 * @param warmAt when it will be warm under full demand; now, if it is
 * @param throttledAt when the rate was last cut because the receiver throttled; absent once it has
 *     recovered
 * @param recovery how throttling lets go of the rate from now on, straight between these points;
 *     behind the last it is whole. Absent unless {@code throttledAt} is there
 * @param curve the warm-up curve at the configured rate, from cold to twice the warm-up period
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limiter(
    String phase,
    double currentRate,
    double stableRate,
    double configuredRate,
    double coldRate,
    double storedPermits,
    double maxPermits,
    Instant warmAt,
    @Nullable Instant throttledAt,
    @Nullable List<Recovery> recovery,
    List<Point> curve) {

  /**
   * That of a queue without a limit, whose phase is {@code unlimited}.
   *
   * @param phase always {@code unlimited}
   */
  public record Unlimited(String phase) {}

  /**
   * A point of the curve.
   *
   * @param seconds from now
   * @param rate permits in a second then
   * @param permits how many it has given until then
   */
  public record Point(double seconds, double rate, double permits) {}

  /**
   * The share of the configured rate that throttling leaves, so many seconds from now.
   *
   * @param seconds from now
   * @param share of the configured rate, 0 to 1
   */
  public record Recovery(double seconds, double share) {}

  /** {@return the share of the configured rate that throttling leaves} */
  public double share() {
    return stableRate / configuredRate;
  }

  /** {@return whether the receiver throttled, and the rate has not recovered} */
  @JsonIgnore
  public boolean isCut() {
    return throttledAt != null;
  }
}
