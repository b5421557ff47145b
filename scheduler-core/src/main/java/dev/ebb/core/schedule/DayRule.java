package dev.ebb.core.schedule;

import java.time.DayOfWeek;
import java.time.YearMonth;

/** Which days of a month a part of a cron expression names. */
sealed interface DayRule {
  /** The days as bits: bit 1 for the first. */
  int in(YearMonth month);

  /** Every day of the month. */
  static int all(YearMonth month) {
    return -1 >>> (31 - month.lengthOfMonth()) & ~1;
  }

  /** Days by their numbers, as bits. */
  record Days(int bits) implements DayRule {
    @Override
    public int in(YearMonth month) {
      return bits & all(month);
    }
  }

  /** The day from Monday to Friday that is nearest to a day, within its month. */
  record Nearest(int day) implements DayRule {
    @Override
    public int in(YearMonth month) {
      return day <= month.lengthOfMonth() ? 1 << workday(month, day) : 0;
    }
  }

  /** So many days before the last day, or the day from Monday to Friday that is nearest to it. */
  record FromEnd(int before, boolean onWorkday) implements DayRule {
    @Override
    public int in(YearMonth month) {
      int day = month.lengthOfMonth() - before;
      return day < 1 ? 0 : 1 << (onWorkday ? workday(month, day) : day);
    }
  }

  /** Days of the week, as bits: bit 1 for Monday. */
  record Weekdays(int bits) implements DayRule {
    @Override
    public int in(YearMonth month) {
      int days = 0;
      int weekday = month.atDay(1).getDayOfWeek().getValue();
      for (int day = 1; day <= month.lengthOfMonth(); day++) {
        days |= (bits >>> weekday & 1) << day;
        weekday = weekday % 7 + 1;
      }
      return days;
    }
  }

  /** The n-th of a day of the week. */
  record Nth(DayOfWeek weekday, int nth) implements DayRule {
    @Override
    public int in(YearMonth month) {
      int first = month.atDay(1).getDayOfWeek().getValue();
      int day = 1 + Math.floorMod(weekday.getValue() - first, 7) + 7 * (nth - 1);
      return day <= month.lengthOfMonth() ? 1 << day : 0;
    }
  }

  /** The last of a day of the week. */
  record Last(DayOfWeek weekday) implements DayRule {
    @Override
    public int in(YearMonth month) {
      int last = month.atEndOfMonth().getDayOfWeek().getValue();
      return 1 << (month.lengthOfMonth() - Math.floorMod(last - weekday.getValue(), 7));
    }
  }

  private static int workday(YearMonth month, int day) {
    return switch (month.atDay(day).getDayOfWeek()) {
      case MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY -> day;
      case SATURDAY -> day == 1 ? 3 : day - 1;
      case SUNDAY -> day == month.lengthOfMonth() ? day - 2 : day + 1;
    };
  }
}
