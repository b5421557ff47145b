package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateCut;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.queue.Limiters;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows where limiters stand. */
public final class LimiterResource {
  private static final int STEPS = 40;

  private LimiterResource() {}

  /** The limiter of a queue; {@code null} without a limit. */
  public static @Nullable Limiter find(Limiters limiters, String queue) throws SQLException {
    return limiters
        .find(queue)
        .map(LimiterResource::of)
        .filter(Limiter.class::isInstance)
        .map(Limiter.class::cast)
        .orElse(null);
  }

  /** A limiter, or that there is none. */
  static Object of(Limiters.LimiterView seen) {
    RateLimit rate = seen.rate();
    return rate == null ? unlimited() : of(rate, seen.state(), seen.now());
  }

  /** That of a queue without a limit. */
  static Limiter.Unlimited unlimited() {
    return new Limiter.Unlimited("unlimited");
  }

  /** That of a queue whose jobs have yet to start under the limit. */
  static Limiter cold(RateLimit rate) {
    Instant now = Instant.now();
    return of(rate, LimiterState.cold(now), now);
  }

  private static Limiter of(RateLimit rate, LimiterState state, Instant now) {
    WarmUpLimiter limiter = new WarmUpLimiter(rate);
    WarmUpLimiter.View view = limiter.view(state, now);
    RateCut cut = state.cut();
    boolean recovered = view.stableRate() >= rate.permitsPerSecond();
    return new Limiter(
        view.phase().name().toLowerCase(Locale.ROOT),
        view.currentRate(),
        view.stableRate(),
        rate.permitsPerSecond(),
        view.coldRate(),
        view.storedPermits(),
        view.maxPermits(),
        Answer.shown(view.warmAt()),
        cut == null || recovered ? null : Answer.shown(cut.at()),
        cut == null || recovered ? null : recovery(cut, now),
        limiter.curve(STEPS).stream().map(LimiterResource::point).toList());
  }

  private static List<Limiter.Recovery> recovery(RateCut cut, Instant now) {
    return cut.recovery(now).stream()
        .map(point -> new Limiter.Recovery(point.after().toNanos() / 1e9, point.share()))
        .toList();
  }

  private static Limiter.Point point(WarmUpLimiter.Point point) {
    return new Limiter.Point(point.after().toNanos() / 1e9, point.rate(), point.permits());
  }
}
