package dev.ebb.db.settle;

/** What a job gets back whose attempts may count from 0 again: parts of the statements that ask. */
public final class FreshBudget {
  /**
   * Of a retry, in an update of {@code ebb.job j} beside a row {@code b} that tells whether it is
   * {@code fresh}: attempts, delays and the deadline count from now, as after a redrive.
   */
  public static final String OF_RETRY =
      """
      attempt = case when b.fresh then 0 else j.attempt end,
              snoozes = case when b.fresh then 0 else j.snoozes end,
              last_delay_micros = case when b.fresh then 0 else j.last_delay_micros end,
              redriven_at = case
                when b.fresh or j.redriven_at > statement_timestamp() then statement_timestamp()
                else j.redriven_at
              end\
      """;

  /**
   * Of a job to which people give another time, in an update of {@code ebb.job j} beside a row
   * {@code t} with that time as {@code run_at}, the value of {@code redriven_at}: the deadline
   * counts from that time if it lies ahead.
   */
  public static final String OF_RUN_AT =
      """
      case
                when t.run_at > statement_timestamp() then t.run_at
                when j.redriven_at > statement_timestamp() then statement_timestamp()
                else j.redriven_at
              end\
      """;

  /**
   * The attempts of a dead letter that is redriven, with a parameter that tells whether they count
   * from 0. A job that keeps them gets the last one back if it has used them up: none could run
   * otherwise.
   */
  public static final String OF_REDRIVE =
      "case when ?::boolean then 0 else least(attempt, max_attempts - 1) end";

  private FreshBudget() {}
}
