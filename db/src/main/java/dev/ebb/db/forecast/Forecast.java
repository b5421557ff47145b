package dev.ebb.db.forecast;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs become due in the next hour, as far as their next attempt is stored now: retries of
 * these attempts come on top, and so do jobs that are yet to be submitted.
 *
 * @param asOf the database's clock, where the first minute begins
 * @param exact whether every job of the hour was looked at; otherwise the numbers of its minutes
 *     are estimates from a sample
 * @param overdueExact whether the same is true of the jobs that are due already
 * @param cells how many become due in a minute for an attempt; none where there are none
 * @param queue of a forecast of one queue; {@code null} for all
 * @param pausedQueues whose coming jobs a forecast of all leaves out, the first {@value
 *     Forecasts#NAMED}
 */
public record Forecast(
    Instant asOf,
    boolean exact,
    boolean overdueExact,
    List<Cell> cells,
    @Nullable Queue queue,
    List<String> pausedQueues) {
  public static final int MINUTES = 60;

  /** The minute of jobs that are due already, and wait for a worker. */
  public static final int OVERDUE = -1;

  /** Stands for this and all later attempts. */
  public static final int LAST_ATTEMPT = 10;

  public Forecast {
    cells = List.copyOf(cells);
    pausedQueues = List.copyOf(pausedQueues);
  }

  /**
   * Jobs of a minute.
   *
   * @param minute from 0, or {@link #OVERDUE}
   * @param attempt that they will start, from 1
   */
  public record Cell(int minute, int attempt, long jobs) {}

  /** A queue, and whether it keeps jobs that are due from starting. */
  public record Queue(String name, boolean paused) {}
}
