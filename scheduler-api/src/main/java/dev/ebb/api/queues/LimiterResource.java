package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param currentRate permits a second that full demand would get now
 * @param stableRate what that comes to when warm: the configured rate, or what throttling leaves of
 *     it
 * @param configuredRate the limit's
 * @param coldRate what it is when cold
 * @param warmAt when it will be warm under full demand; now, if it is
 * @param throttledAt when the rate was last cut because the receiver throttled; absent once it has
 *     recovered
 * @param curve the warm-up curve at the configured rate, from cold to twice the warm-up period
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LimiterResource(
    String phase,
    @Nullable Double currentRate,
    @Nullable Double stableRate,
    @Nullable Double configuredRate,
    @Nullable Double coldRate,
    @Nullable Double storedPermits,
    @Nullable Double maxPermits,
    @Nullable Instant warmAt,
    @Nullable Instant throttledAt,
    @Nullable List<Point> curve) {
  private static final int STEPS = 40;

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
    return new LimiterResource("unlimited", null, null, null, null, null, null, null, null, null);
  }

  private static LimiterResource of(RateLimit rate, LimiterState state, Instant now) {
    WarmUpLimiter limiter = new WarmUpLimiter(rate);
    WarmUpLimiter.View view = limiter.view(state, now);
    RateCut cut = state.cut();
    return new LimiterResource(
        view.phase().name().toLowerCase(Locale.ROOT),
        view.currentRate(),
        view.stableRate(),
        rate.permitsPerSecond(),
        view.coldRate(),
        view.storedPermits(),
        view.maxPermits(),
        Answer.shown(view.warmAt()),
        cut == null || view.stableRate() >= rate.permitsPerSecond() ? null : Answer.shown(cut.at()),
        limiter.curve(STEPS).stream().map(Point::of).toList());
  }
}
