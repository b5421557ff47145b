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
 * @param givesUpAt when it becomes a dead letter
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptForecast(
    Policy policy, @Nullable Next next, List<Band> bands, Range givesUpAt) {

  /**
   * An attempt, by when the answer of why the job waits expects it.
   *
   * @param attempt its number, from 1
   * @param at when it starts
   */
  public record Next(int attempt, Instant at) {}

  /**
   * The start of an attempt.
   *
   * @param attempt its number, from 1
   * @param chance the share of such jobs that reach it before the deadline
   * @param p10 by when one such job in ten has started it
   * @param p50 by when five in ten have
   * @param p90 by when nine in ten have
   */
  public record Band(int attempt, double chance, Instant p10, Instant p50, Instant p90) {
    /** {@return the three of them} */
    public Range range() {
      return new Range(p10, p50, p90);
    }
  }

  /**
   * By when one, five and nine such jobs in ten are there.
   *
   * @param p10 by when one in ten is
   * @param p50 by when five in ten are
   * @param p90 by when nine in ten are
   */
  public record Range(Instant p10, Instant p50, Instant p90) {}
}
