package dev.ebb.core.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A cut of a limiter's rate because the receiver throttled, and the way back: multiplicative
 * decrease, then additive recovery.
 *
 * <pre>
 *   1 ┤                                             ╱  a hundredth of the stable rate more
 *     │                                           ╱
 *     │  ceiling ┐                       ╱‾‾‾‾‾‾‾     a hundredth of the ceiling a second
 *     │          │            ╱ ‾‾ 0.9 · ceiling
 *     │          └──────────╱
 *     │           cool-off   climb       probe
 *     └──────────┬──────────┬─────────┬───────────┬──────────▶ time
 *        quiet since      + 1 s     + 4 s      + 14 s
 * </pre>
 *
 * <p>Every throttled attempt restarts the cool-off: attempts in progress may be answered much
 * later, and until then the receiver's present capacity is unknown.
 *
 * <p>The quick climb ends below where the receiver throttled, so that most of the time is spent
 * near its limit and not far under it; the shape is that of TCP CUBIC (RFC 9438), by straight
 * lines.
 *
 * @param ceiling the share of the stable rate at which the receiver throttled, 0 to 1
 * @param factor by which that share was multiplied
 * @param at when, by the database's clock
 * @param quietSince when the last attempt was throttled: this cut, or one that was too early for
 *     another
 */
public record RateCut(double ceiling, double factor, Instant at, Instant quietSince) {
  /**
   * The rate is never cut below this share of the stable one: some attempts have to test the
   * receiver.
   */
  static final double LEAST = 0.01;

  private static final Duration COOL_OFF = Duration.ofSeconds(1);
  private static final double CLIMB_SECONDS = 3;
  private static final double KNEE = 0.9;
  private static final double PROBE_PER_SECOND = 0.01;

  /** Until the probe has come from the knee to the ceiling. */
  private static final double PROBE_SECONDS = 10;

  static RateCut now(double ceiling, double factor, Instant now) {
    return new RateCut(ceiling, factor, now, now);
  }

  /** The share of the stable rate that is permitted now, up to 1. */
  public double share(Instant now) {
    double low = low();
    double knee = knee();
    double climbed = Duration.between(quietSince.plus(COOL_OFF), now).toNanos() / 1e9;
    if (climbed <= 0) {
      return low;
    }
    if (climbed < CLIMB_SECONDS) {
      return low + (knee - low) * climbed / CLIMB_SECONDS;
    }
    double probed = climbed - CLIMB_SECONDS;
    double beyond = Math.max(0, probed - PROBE_SECONDS);
    return Math.min(1, knee + PROBE_PER_SECOND * (ceiling * probed + beyond));
  }

  private double low() {
    return Math.max(LEAST, ceiling * factor);
  }

  private double knee() {
    return Math.max(low(), ceiling * KNEE);
  }

  /** The share that is permitted so long from now. */
  public record Point(Duration after, double share) {}

  /** How the share rises from now on: straight between these points; behind the last it stays. */
  public List<Point> recovery(Instant now) {
    RateCut cut = notAfter(now);
    Instant climb = cut.quietSince.plus(COOL_OFF);
    Instant probe = climb.plus(seconds(CLIMB_SECONDS));
    Instant recovered = probe.plus(seconds(probeToWhole()));
    List<Point> points = new ArrayList<>(List.of(new Point(Duration.ZERO, cut.share(now))));
    for (Instant turn :
        List.of(climb, probe, earlier(probe.plus(seconds(PROBE_SECONDS)), recovered), recovered)) {
      if (turn.isAfter(now)) {
        points.add(new Point(Duration.between(now, turn), cut.share(turn)));
      }
    }
    return points;
  }

  /** How long the probe takes until the whole stable rate is permitted. */
  private double probeToWhole() {
    double missing = 1 - knee();
    double toCeiling = missing / (PROBE_PER_SECOND * ceiling);
    return toCeiling <= PROBE_SECONDS
        ? toCeiling
        : (missing / PROBE_PER_SECOND + PROBE_SECONDS) / (ceiling + 1);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) Math.ceil(seconds * 1e9));
  }

  /**
   * Attempts that start from then on tell what this cut achieved. A receiver may count calls by the
   * second; without this pause, each call that came too fast would cause a cut.
   */
  public Instant feltFrom() {
    return at.plus(COOL_OFF);
  }

  /** The same, but recovering only from now on. */
  RateCut postponed(Instant now) {
    return new RateCut(ceiling, factor, at, now);
  }

  /** The same, but not in the future of a clock that was set back. */
  RateCut notAfter(Instant now) {
    return new RateCut(ceiling, factor, earlier(at, now), earlier(quietSince, now));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
