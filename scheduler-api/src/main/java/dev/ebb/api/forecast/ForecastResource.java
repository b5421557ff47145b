package dev.ebb.api.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.forecast.Forecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A forecast as answers show it; what does not apply is left out.
 *
 * @param queue of a forecast of one queue
 * @param permitsPerMinute of that queue's rate limit, at its stable rate
 * @param paused whether that queue is
 * @param pausedQueues which a forecast of all leaves out
 * @param overdue what is due already
 * @param minutes sixty, one after another
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ForecastResource(
    Instant asOf,
    boolean exact,
    @Nullable String queue,
    @Nullable Double permitsPerMinute,
    @Nullable Boolean paused,
    @Nullable List<String> pausedQueues,
    Due overdue,
    List<Minute> minutes) {
  private static final int SECONDS = 60;

  /**
   * How many jobs are due.
   *
   * @param byAttempt by the number of the attempt that they start
   */
  record Due(long jobs, Map<String, Long> byAttempt) {}

  /** The same of the minute that begins at an instant. */
  record Minute(Instant at, long jobs, Map<String, Long> byAttempt) {
    static Minute of(Instant at, Due due) {
      return new Minute(at, due.jobs(), due.byAttempt());
    }
  }

  static ForecastResource of(Forecast forecast) {
    Forecast.Queue queue = forecast.queue();
    RateLimit limit = queue == null ? null : queue.rateLimit();
    Instant asOf = Answer.shown(forecast.asOf());
    return new ForecastResource(
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
      minutes.add(Minute.of(at, due(forecast, minute)));
    }
    return minutes;
  }

  private static Due due(Forecast forecast, int minute) {
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
    return new Due(jobs, named);
  }

  private static String name(int attempt) {
    return attempt < Forecast.LAST_ATTEMPT ? String.valueOf(attempt) : attempt + "+";
  }
}
