package dev.ebb.core.schedule;

import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The dates that a cron expression names.
 *
 * @param years {@code null} for every year
 */
record CronDates(CronDays days, BitSet months, @Nullable BitSet years) {
  /** Within so many years every date comes on every day of the week, also across 2100. */
  static final int CYCLE_YEARS = 40;

  /** The same, and a few days more. */
  static final Duration CYCLE = Duration.ofDays(CYCLE_YEARS * 366L);

  /** The first date from that one on; {@code null} if there is none. */
  @Nullable LocalDate next(LocalDate from) {
    int last = years == null ? from.getYear() + CYCLE_YEARS : CronField.YEAR.most();
    for (int year = from.getYear(); year <= last; year++) {
      if (years == null || years.get(year)) {
        LocalDate next = nextIn(year, from);
        if (next != null) {
          return next;
        }
      }
    }
    return null;
  }

  private @Nullable LocalDate nextIn(int year, LocalDate from) {
    int first = year == from.getYear() ? from.getMonthValue() : 1;
    for (int month = months.nextSetBit(first); month > 0; month = months.nextSetBit(month + 1)) {
      YearMonth in = YearMonth.of(year, month);
      int left = days.in(in) & (isOf(from, in) ? -1 << from.getDayOfMonth() : -1);
      if (left != 0) {
        return in.atDay(Integer.numberOfTrailingZeros(left));
      }
    }
    return null;
  }

  private static boolean isOf(LocalDate date, YearMonth month) {
    return date.getYear() == month.getYear() && date.getMonthValue() == month.getMonthValue();
  }
}
