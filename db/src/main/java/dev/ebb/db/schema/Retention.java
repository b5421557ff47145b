package dev.ebb.db.schema;

import static dev.ebb.core.InvalidInput.requireBetween;

/**
 * For how many days is kept what has ended.
 *
 * @param historyDays jobs, 1 to {@value #MOST_DAYS}: PostgreSQL's lock table holds no more days
 *     beside claims
 * @param attemptDays attempts that did not end their job, 1 to {@code historyDays}
 */
public record Retention(int historyDays, int attemptDays) {
  public static final int MOST_DAYS = 90;

  public Retention {
    requireBetween(historyDays, 1, MOST_DAYS, "historyDays");
    requireBetween(attemptDays, 1, historyDays, "attemptDays");
  }

  /** One that keeps attempts as long as jobs. */
  public static Retention of(int days) {
    return new Retention(days, days);
  }
}
