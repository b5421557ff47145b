package dev.ebb.core.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit that opens slowly: permits are expensive after idle time and get cheaper with use. Pure:
 * state, time and demand go in, permits and the next state come out.
 *
 * <pre>
 *   interval between permits
 *    cold  c·s ┤                          ╱
 *              │                       ╱  │
 *              │                    ╱     │   The permits taken at x stored cost the area above
 *              │                 ╱        │   them, so W is the area of the trapezoid:
 *  stable    s ┤──────────────╱           │   the warm-up period.
 *              │              │     W     │
 *              └──────────────┴───────────┴──▶ stored permits x
 *              0          threshold      max
 *                   ◀─ used      unused ─▶
 * </pre>
 *
 * <p>With the stable rate r, s = 1/r and the cold factor c: threshold = W/2s, max = threshold +
 * 2W/(s + c·s), slope = (c·s − s)/(max − threshold). Unused, the stored permits grow by max/W a
 * second, so that W without use makes it cold; it starts cold. A permit that is taken at x costs s
 * + slope · max(0, x − threshold). From cold and under full demand the n-th permit comes at t(n) =
 * c·s·n − slope·n²/2, as long as n is at most max − threshold, and that one at W.
 *
 * <p>The curve is that of Guava's {@code SmoothRateLimiter.SmoothWarmingUp}; Sentinel's {@code
 * WarmUpController} is the same in whole permits a second, and passes nothing where the cold rate
 * is below one a second. As in Guava's, a permit is granted when those before it are paid for, and
 * is paid for by the next.
 *
 * <p><b>Bursts.</b> One permit per claim would wear out the row in which a cluster keeps the state,
 * and a claimer that comes a little late would lose what fell due meanwhile. So permits that fall
 * due within the next {@value #BURST_MILLIS} ms, the burst window, are granted, too: the curve is
 * exceeded by no more than that. A claimer is told to ask again when half of the window is used. Up
 * to one window in which nobody asked is no idle time: its permits are still due. So a claimer that
 * comes up to one and a half windows late loses nothing. A claimer that finds less than half a
 * window has others beside it: it is told to ask again a window later than the one that got more,
 * and {@link ContentionBackoff backs off}, so that many claimers do not divide the windows into
 * single permits.
 */
public final class WarmUpLimiter {
  /** How far ahead of its time a permit may be granted, and how far behind, in milliseconds. */
  public static final int BURST_MILLIS = 50;

  private static final double SECOND_MICROS = 1e6;

  private final RateLimit limit;
  private final long burstMicros;

  /** A limiter that grants in bursts. */
  public WarmUpLimiter(RateLimit limit) {
    this(limit, Duration.ofMillis(BURST_MILLIS));
  }

  /** A limiter whose permits may be granted this much ahead of their time, or behind it. */
  WarmUpLimiter(RateLimit limit, Duration burst) {
    this.limit = limit;
    this.burstMicros = burst.toNanos() / 1_000;
  }

  /**
   * The answer to a claimer.
   *
   * @param permits how many starts are permitted, 0 to what was wanted
   * @param state as it is if all of them are used
   * @param askAgainAt when the next claim may get some, by the same clock
   * @param contended whether others had taken most of a burst window before
   */
  public record Grant(int permits, LimiterState state, Instant askAgainAt, boolean contended) {}

  private static double warmUpMicros(RateLimit limit) {
    return limit.warmUp().toNanos() / 1e3;
  }

  /** The trapezoid at one rate; intervals in microseconds, costs cut to whole ones as Guava's. */
  private record Shape(double rate, double stable, double threshold, double max, double slope) {
    static Shape of(RateLimit limit, double share) {
      double rate = limit.permitsPerSecond() * share;
      double stable = SECOND_MICROS / rate;
      double warmUp = warmUpMicros(limit);
      double threshold = 0.5 * warmUp / stable;
      double max = threshold + 2 * warmUp / (stable + limit.coldFactor() * stable);
      double slope = max == 0 ? 0 : (limit.coldFactor() - 1) * stable / (max - threshold);
      return new Shape(rate, stable, threshold, max, slope);
    }

    double interval(double stored) {
      return stable + slope * Math.max(0, stored - threshold);
    }

    /** Permits a second; where nothing is above the threshold, exactly the stable rate. */
    double rate(double stored) {
      return rate * (stable / interval(stored));
    }

    /** The area above this many permits, taken from what is stored and, where that ends, fresh. */
    long cost(double stored, double permits) {
      double above = Math.min(permits, Math.max(0, stored - threshold));
      long sloping = (long) (above * (interval(stored) + interval(stored - above)) / 2);
      double used = Math.min(permits, stored);
      return sloping + (long) ((used - above) * stable) + (long) ((permits - used) * stable);
    }
  }

  /**
   * Grants the permits that are due, at most {@code wanted}.
   *
   * @param now by the clock that all claimers share
   */
  public Grant take(LimiterState state, Instant now, int wanted) {
    LimiterState synced = resync(state, now);
    Shape shape = shape(synced, now);
    double stored = synced.coldness() * shape.max;
    long room = burstMicros - now.until(synced.nextFreeAt(), ChronoUnit.MICROS);
    int permits = 0;
    while (permits < wanted && shape.cost(stored, permits) <= room) {
      permits++;
    }
    if (permits == 0) {
      return new Grant(0, synced, askAgainAt(synced.nextFreeAt(), 0), wanted > 0);
    }
    long cost = shape.cost(stored, permits);
    Instant nextFreeAt = synced.nextFreeAt().plus(cost, ChronoUnit.MICROS);
    double left = shape.max == 0 ? 1 : Math.max(0, stored - permits) / shape.max;
    LimiterState used = new LimiterState(left, nextFreeAt, synced.cut());
    boolean contended = permits < wanted && cost < burstMicros / 2;
    return new Grant(permits, used, askAgainAt(nextFreeAt, cost), contended);
  }

  /** No grant has more permits: those of a burst window behind and one ahead, and the last. */
  public static int mostAtOnce(RateLimit limit) {
    return (int) Math.ceil(limit.permitsPerSecond() * 2 * BURST_MILLIS / 1_000) + 1;
  }

  private Instant askAgainAt(Instant nextFreeAt, long cost) {
    long half = burstMicros / 2;
    return nextFreeAt.plus(cost < half ? half : -half, ChronoUnit.MICROS);
  }

  private Shape shape(LimiterState synced, Instant now) {
    // A cut has no effect once throttleFactor was set to 1.
    return Shape.of(limit, limit.throttleFactor() == 1 ? 1 : synced.share(now));
  }

  /**
   * Turns the time since the last permit was paid into stored permits, unless a claimer was merely
   * late: the only place where time passes. A clock that was set back must not keep the limiter
   * shut: the next free time lies ahead by a burst window and the most expensive permit at most.
   */
  private LimiterState resync(LimiterState state, Instant now) {
    LimiterState synced = state.withCutNotAfter(now);
    long idle = state.nextFreeAt().until(now, ChronoUnit.MICROS);
    if (idle > burstMicros) {
      double warmUp = warmUpMicros(limit);
      double coldness = idle < warmUp ? Math.min(1, state.coldness() + idle / warmUp) : 1;
      return new LimiterState(coldness, now, synced.cut());
    }
    double dearest = limit.coldFactor() * shape(synced, now).stable;
    Instant latest = now.plus(burstMicros + (long) Math.ceil(dearest), ChronoUnit.MICROS);
    Instant nextFreeAt = state.nextFreeAt().isAfter(latest) ? latest : state.nextFreeAt();
    return new LimiterState(state.coldness(), nextFreeAt, synced.cut());
  }

  /**
   * The receiver throttled an attempt: cuts the rate, or, if the attempt started too early to feel
   * the last cut, postpones that one's recovery. One that started after now did so before the clock
   * was set back.
   */
  public LimiterState throttled(LimiterState state, Instant startedAt, Instant now) {
    if (limit.throttleFactor() == 1) {
      return state;
    }
    LimiterState synced = state.withCutNotAfter(now);
    RateCut last = synced.cut();
    RateCut cut =
        last != null && isEarly(last, startedAt, now)
            ? last.postponed(now)
            : RateCut.now(synced.share(now), limit.throttleFactor(), now);
    return new LimiterState(state.coldness(), state.nextFreeAt(), cut);
  }

  private static boolean isEarly(RateCut last, Instant startedAt, Instant now) {
    return startedAt.isBefore(last.feltFrom()) || startedAt.isAfter(now);
  }

  /** How warm it is. */
  public enum Phase {
    /** Unused for so long that it is as cold as it can be. */
    COLD,
    /** Above the threshold. */
    WARMING,
    /** At the stable rate, or at what the last cut leaves of it. */
    WARM
  }

  /**
   * What people see of a state.
   *
   * @param currentRate permits a second that full demand would get now
   * @param stableRate the rate when warm: the limit's, or what the last cut leaves of it
   * @param coldRate the rate when cold
   * @param storedPermits up to {@code maxPermits}
   * @param warmAt when it will be warm under full demand, at what the last cut leaves now; now if
   *     it is already
   */
  public record View(
      Phase phase,
      double currentRate,
      double stableRate,
      double coldRate,
      double storedPermits,
      double maxPermits,
      Instant warmAt) {}

  /** Shows a state as it is at that time. */
  public View view(LimiterState state, Instant now) {
    LimiterState synced = resync(state, now);
    Shape shape = shape(synced, now);
    double stored = synced.coldness() * shape.max;
    double above = Math.max(0, stored - shape.threshold);
    return new View(
        phase(synced.coldness(), above),
        shape.rate(stored),
        shape.rate,
        shape.rate(shape.max),
        stored,
        shape.max,
        now.plus(shape.cost(stored, above), ChronoUnit.MICROS));
  }

  private static Phase phase(double coldness, double above) {
    if (above <= 0) {
      return Phase.WARM;
    }
    return coldness == 1 ? Phase.COLD : Phase.WARMING;
  }

  /**
   * A point of the warm-up curve under full demand.
   *
   * @param after since it was cold
   * @param rate permits a second then
   * @param permits how many were granted until then
   */
  public record Point(Duration after, double rate, double permits) {}

  /**
   * The curve from cold to warm and as long again at the stable rate, in this many steps; for a
   * fixed rate, one second of it.
   */
  public List<Point> curve(int steps) {
    Shape shape = Shape.of(limit, 1);
    double length = limit.warmUp().isZero() ? SECOND_MICROS : 2 * warmUpMicros(limit);
    List<Point> points = new ArrayList<>();
    for (int step = 0; step <= steps; step++) {
      double micros = length * step / steps;
      double permits = permitsFromCold(shape, micros);
      double rate = shape.rate(shape.max - permits);
      points.add(new Point(Duration.ofNanos((long) (1e3 * micros)), rate, permits));
    }
    return points;
  }

  /** The inverse of t(n): how many permits full demand got in this time after it was cold. */
  private static double permitsFromCold(Shape shape, double micros) {
    double ramp = shape.max - shape.threshold;
    double warmUp = shape.cost(shape.max, ramp);
    if (micros >= warmUp) {
      return ramp + (micros - warmUp) / shape.stable;
    }
    double cold = shape.interval(shape.max);
    return shape.slope == 0
        ? micros / cold
        : (cold - Math.sqrt(cold * cold - 2 * shape.slope * micros)) / shape.slope;
  }

  /** How long full demand takes to get so many permits from cold: t(n). */
  public Duration fromCold(long permits) {
    Shape shape = Shape.of(limit, 1);
    double ramp = shape.max - shape.threshold;
    double warming = shape.cost(shape.max, Math.min((double) permits, ramp));
    double micros = warming + Math.max(0, permits - ramp) * shape.stable;
    return Duration.ofMillis((long) Math.ceil(micros / 1e3));
  }

  /** How many permits full demand gets within this time from cold; exact, without bursts. */
  public double permitsFromCold(Duration after) {
    return permitsFromCold(Shape.of(limit, 1), after.toNanos() / 1e3);
  }
}
