package dev.ebb.api.forecast;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Forecast.DueMinute;
import dev.ebb.contract.Forecast.Minute;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.forecast.Forecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows forecasts. */
final class ForecastResource {
  private static final int SECONDS = 60;

  private ForecastResource() {}

  static dev.ebb.contract.Forecast of(Forecast forecast) {
    Forecast.Queue queue = forecast.queue();
    RateLimit limit = queue == null ? null : queue.rateLimit();
    Instant asOf = Answer.shown(forecast.asOf());
    return new dev.ebb.contract.Forecast(
        asOf,
        forecast.exact(),
        queue == null ? null : queue.name(),
        limit == null ? null : limit.permitsPerSecond() * SECONDS,
        queue == null ? null : queue.paused(),
        queue == null ? forecast.pausedQueues() : null,
        due(forecast, Forecast.OVERDUE),
        minutes(forecast, asOf));
  }

  private static List<Minute> minutes(Forecast forecast, Instant asOf) {
    List<Minute> minutes = new ArrayList<>();
    for (int minute = 0; minute < Forecast.MINUTES; minute++) {
      Instant at = asOf.plus(Duration.ofMinutes(minute));
      DueMinute due = due(forecast, minute);
      minutes.add(new Minute(at, due.jobs(), due.byAttempt()));
    }
    return minutes;
  }

  private static DueMinute due(Forecast forecast, int minute) {
    long jobs = 0;
    Map<Integer, Long> byAttempt = new TreeMap<>();
    for (Forecast.Cell cell : forecast.cells()) {
      if (cell.minute() == minute) {
        jobs += cell.jobs();
        byAttempt.merge(cell.attempt(), cell.jobs(), Long::sum);
      }
    }
    Map<String, Long> named = new LinkedHashMap<>();
    byAttempt.forEach((attempt, many) -> named.put(name(attempt), many));
    return new DueMinute(jobs, named);
  }

  private static String name(int attempt) {
    return attempt < Forecast.LAST_ATTEMPT ? String.valueOf(attempt) : attempt + "+";
  }
}
