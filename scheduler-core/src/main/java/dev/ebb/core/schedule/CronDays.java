package dev.ebb.core.schedule;

import java.time.YearMonth;
import java.util.List;

/**
 * The days of a month that both day fields of a cron expression name together.
 *
 * @param ofMonth what the field for days of the month names; empty for every day
 * @param ofWeek what the field for days of the week names; empty for every day
 * @param either whether a day that one of them names is enough
 */
record CronDays(List<DayRule> ofMonth, List<DayRule> ofWeek, boolean either) {
  private static final CronDays EVERY = new CronDays(List.of(), List.of(), false);

  /** The same days, but a field that names every day has no rule. */
  static CronDays of(List<DayRule> ofMonth, List<DayRule> ofWeek, boolean either) {
    List<DayRule> month = isEvery(ofMonth) ? List.of() : ofMonth;
    List<DayRule> week = isEvery(ofWeek) ? List.of() : ofWeek;
    boolean isEvery = either && (month.isEmpty() || week.isEmpty());
    return isEvery ? EVERY : new CronDays(month, week, either);
  }

  private static boolean isEvery(List<DayRule> rules) {
    return rules.isEmpty()
        || rules.contains(new DayRule.Days(~1))
        || rules.contains(new DayRule.Weekdays(0xFE));
  }

  /** The days as bits: bit 1 for the first. */
  int in(YearMonth month) {
    int byMonth = days(ofMonth, month);
    int byWeek = days(ofWeek, month);
    return either ? byMonth | byWeek : byMonth & byWeek;
  }

  private static int days(List<DayRule> rules, YearMonth month) {
    if (rules.isEmpty()) {
      return DayRule.all(month);
    }
    int days = 0;
    for (DayRule rule : rules) {
      days |= rule.in(month);
    }
    return days;
  }
}
