package dev.ebb.api.forecast;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Forecast.Minute;
import dev.ebb.contract.Forecast.Overdue;
import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.ComingPermits;
import dev.ebb.db.forecast.Forecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows forecasts. */
final class ForecastResource {
  private static final double SECONDS = 60;

  private ForecastResource() {}

  /**
   * The forecast.
   *
   * @param limiter of its queue; {@code null} without a limit
   */
  static dev.ebb.contract.Forecast of(Forecast forecast, @Nullable Limiter limiter) {
    Forecast.Queue queue = forecast.queue();
    boolean starts = queue != null && !queue.paused();
    ComingPermits permits = limiter == null || !starts ? null : ComingPermits.of(limiter);
    Instant asOf = Answer.shown(forecast.asOf());
    return new dev.ebb.contract.Forecast(
        asOf,
        forecast.exact(),
        queue == null ? null : queue.name(),
        limiter == null ? null : limiter.stableRate() * SECONDS,
        queue == null ? null : queue.paused(),
        queue == null ? forecast.pausedQueues() : null,
        overdue(forecast),
        minutes(forecast, asOf, permits));
  }

  private static List<Minute> minutes(
      Forecast forecast, Instant asOf, @Nullable ComingPermits permits) {
    List<Minute> minutes = new ArrayList<>();
    for (int minute = 0; minute < Forecast.MINUTES; minute++) {
      Instant at = asOf.plus(Duration.ofMinutes(minute));
      Map<String, Long> due = due(forecast, minute);
      minutes.add(new Minute(at, sum(due), due, in(minute, permits)));
    }
    return minutes;
  }

  private static @Nullable Double in(int minute, @Nullable ComingPermits permits) {
    double from = minute * SECONDS;
    return permits == null ? null : permits.permits(from + SECONDS) - permits.permits(from);
  }

  private static Overdue overdue(Forecast forecast) {
    Map<String, Long> due = due(forecast, Forecast.OVERDUE);
    return new Overdue(sum(due), forecast.overdueExact(), due);
  }

  private static long sum(Map<String, Long> jobs) {
    return jobs.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> due(Forecast forecast, int minute) {
    Map<Integer, Long> byAttempt = new TreeMap<>();
    for (Forecast.Cell cell : forecast.cells()) {
      if (cell.minute() == minute) {
        byAttempt.merge(cell.attempt(), cell.jobs(), Long::sum);
      }
    }
    Map<String, Long> named = new LinkedHashMap<>();
    byAttempt.forEach((attempt, many) -> named.put(name(attempt), many));
    return named;
  }

  private static String name(int attempt) {
    return attempt < Forecast.LAST_ATTEMPT ? String.valueOf(attempt) : attempt + "+";
  }
}
