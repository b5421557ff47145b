package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs become due in each minute of the next hour.
 *
 * @param asOf when this was so, by the database's clock
 * @param exact whether those of the minutes were counted and not estimated
 * @param queue of a forecast of one queue
 * @param permitsPerMinute of that queue's rate limit when warm: what throttling leaves of it now
 * @param paused whether that queue is
 * @param pausedQueues whose minutes a forecast of all leaves out
 * @param overdue what is due already and waits, also in paused queues
 * @param minutes sixty, one after another
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Forecast(
    Instant asOf,
    boolean exact,
    @Nullable String queue,
    @Nullable Double permitsPerMinute,
    @Nullable Boolean paused,
    @Nullable List<String> pausedQueues,
    Overdue overdue,
    List<Minute> minutes) {

  /**
   * What is due already.
   *
   * @param jobs how many there are
   * @param exact whether they were counted and not estimated
   * @param byAttempt by the number of the attempt that they will start: 1 to 9, and 10+
   */
  public record Overdue(long jobs, boolean exact, Map<String, Long> byAttempt) {}

  /**
   * A minute, by when it begins.
   *
   * @param at when the minute begins
   * @param jobs how many become due
   * @param byAttempt as that of what is due already
   * @param permits how many starts the queue's rate limit lets through in it under full demand: the
   *     warm-up goes on, and a throttled rate recovers. Absent without a limit, and while paused
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Minute(
      Instant at, long jobs, Map<String, Long> byAttempt, @Nullable Double permits) {}

  /** {@return the queues whose minutes a forecast of all leaves out because they are paused} */
  public List<String> leftOut() {
    return pausedQueues == null ? List.of() : pausedQueues;
  }
}
