package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ebb.api.http.Answer;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateCut;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.queue.Limiters;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a queue's limiter stands.
 *
 * @param phase {@code unlimited}, {@code cold}, {@code warming}, {@code warm}; all else is absent
 *     where it is the first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LimiterResource(
    String phase,
    @JsonUnwrapped @Nullable Settings settings,
    @JsonUnwrapped @Nullable State state) {
  private static final int STEPS = 40;

  /**
   * What follows from the limit alone.
   *
   * @param configuredRate the limit's
   * @param coldRate what it is when cold
   * @param curve the warm-up curve at the configured rate, from cold to twice the warm-up period
   */
  record Settings(double configuredRate, double coldRate, double maxPermits, List<Point> curve) {}

  /**
   * What changes with use.
   *
   * @param currentRate permits a second that full demand would get now
   * @param stableRate what that comes to when warm: the configured rate, or what throttling leaves
   *     of it
   * @param warmAt when it will be warm under full demand; now, if it is
   * @param throttledAt when the rate was last cut because the receiver throttled; absent once it
   *     has recovered
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record State(
      double currentRate,
      double stableRate,
      double storedPermits,
      Instant warmAt,
      @Nullable Instant throttledAt) {}

  /** A point of the curve. */
  record Point(double seconds, double rate, double permits) {
    static Point of(WarmUpLimiter.Point point) {
      return new Point(point.after().toNanos() / 1e9, point.rate(), point.permits());
    }
  }

  static LimiterResource of(Limiters.Seen seen) {
    RateLimit rate = seen.rate();
    return rate == null ? unlimited() : of(rate, seen.state(), seen.now());
  }

  /** That of a queue without a limit. */
  static LimiterResource unlimited() {
    return new LimiterResource("unlimited", null, null);
  }

  /** That of a queue whose jobs have yet to start under the limit. */
  static LimiterResource cold(RateLimit rate) {
    Instant now = Instant.now();
    return of(rate, LimiterState.cold(now), now);
  }

  private static LimiterResource of(RateLimit rate, LimiterState state, Instant now) {
    WarmUpLimiter limiter = new WarmUpLimiter(rate);
    WarmUpLimiter.View view = limiter.view(state, now);
    RateCut cut = state.cut();
    boolean recovered = view.stableRate() >= rate.permitsPerSecond();
    return new LimiterResource(
        view.phase().name().toLowerCase(Locale.ROOT),
        new Settings(
            rate.permitsPerSecond(),
            view.coldRate(),
            view.maxPermits(),
            limiter.curve(STEPS).stream().map(Point::of).toList()),
        new State(
            view.currentRate(),
            view.stableRate(),
            view.storedPermits(),
            Answer.shown(view.warmAt()),
            cut == null || recovered ? null : Answer.shown(cut.at())));
  }
}
