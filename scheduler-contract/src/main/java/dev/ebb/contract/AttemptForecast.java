package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the attempts of a job will start and when it will be given up, if every attempt fails at
 * once.
 *
 * @param policy its own, its queue's or the default
 * @param next the attempt that is next, and when it is expected to start; absent while one runs,
 *     and where it would start after the deadline: then the job is given up instead
 * @param bands of the attempts behind that
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptForecast(
    Policy policy, @Nullable Next next, List<Band> bands, Range givesUpAt) {

  /** An attempt, by when the answer of why the job waits expects it. */
  public record Next(int attempt, Instant at) {}

  /**
   * The start of an attempt.
   *
   * @param chance the share of such jobs that reach it before the deadline
   * @param p10 by when one such job in ten has started it
   */
  public record Band(int attempt, double chance, Instant p10, Instant p50, Instant p90) {
    public Range range() {
      return new Range(p10, p50, p90);
    }
  }

  /** By when one, five and nine such jobs in ten are there. */
  public record Range(Instant p10, Instant p50, Instant p90) {}
}
