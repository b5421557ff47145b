package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs become due in each minute of the next hour.
 *
 * @param exact whether they were counted and not estimated
 * @param queue absent for a forecast of all
 * @param permitsPerMinute what its limit lets through when warm; absent without one
 * @param overdue what is due already and waits
 */
public record Forecast(
    Instant asOf,
    boolean exact,
    @Nullable String queue,
    @Nullable Double permitsPerMinute,
    List<String> pausedQueues,
    Due overdue,
    List<Minute> minutes) {

  public Forecast {
    pausedQueues = Objects.requireNonNullElse(pausedQueues, List.of());
  }

  /** The same where throttling leaves so little of the limit. */
  public Forecast limitedTo(double permits) {
    return new Forecast(asOf, exact, queue, permits, pausedQueues, overdue, minutes);
  }

  /** Jobs by the number of the attempt that they will start: 1 to 9, and 10+. */
  public record Due(long jobs, Map<String, Long> byAttempt) {}

  /** A minute, by when it begins. */
  public record Minute(Instant at, long jobs, Map<String, Long> byAttempt) {}
}
