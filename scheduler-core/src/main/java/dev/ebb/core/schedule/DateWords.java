package dev.ebb.core.schedule;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** The dates of a cron expression, for people, to be read after its times. */
final class DateWords {
  private static final List<String> NTH = List.of("first", "second", "third", "fourth", "fifth");

  private final CronDates dates;
  private final boolean everyMonth;
  private final String months;

  private DateWords(CronDates dates) {
    this.dates = dates;
    this.everyMonth = dates.months().cardinality() == 12;
    this.months = Listing.of(dates.months(), DateWords::month);
  }

  /** Empty for every date. */
  static String of(CronDates dates) {
    DateWords words = new DateWords(dates);
    BitSet years = dates.years();
    return words.days() + (years == null ? "" : " in " + Listing.of(years, Integer::toString));
  }

  private String days() {
    CronDays days = dates.days();
    if (days.ofWeek().isEmpty()) {
      return days.ofMonth().isEmpty() ? inMonths() : " on " + ofMonth();
    }
    if (days.ofMonth().isEmpty()) {
      return " on " + ofWeek();
    }
    return days.either()
        ? " on " + ofMonth() + ", and also on " + ofWeek()
        : " on " + ofWeek() + ", but only on " + ofMonth();
  }

  private String inMonths() {
    return everyMonth ? "" : " in " + months;
  }

  private String ofMonth() {
    List<String> parts = dates.days().ofMonth().stream().map(DateWords::words).toList();
    return String.join(" and on ", parts) + " of " + (everyMonth ? "the month" : months);
  }

  /** The days that come every week apart from those that come once a month. */
  private String ofWeek() {
    List<String> weekly = new ArrayList<>();
    List<String> monthly = new ArrayList<>();
    for (DayRule rule : dates.days().ofWeek()) {
      (rule instanceof DayRule.Weekdays ? weekly : monthly).add(words(rule));
    }
    List<String> parts = new ArrayList<>();
    if (!weekly.isEmpty()) {
      parts.add(Listing.and(weekly) + inMonths());
    }
    if (!monthly.isEmpty()) {
      parts.add(Listing.and(monthly) + " of " + (everyMonth ? "every month" : months));
    }
    return String.join(" and on ", parts);
  }

  private static String words(DayRule rule) {
    return switch (rule) {
      case DayRule.Days(int bits) -> Listing.of("day", set(bits));
      case DayRule.Nearest(int day) -> nearest("day " + day);
      case DayRule.FromEnd(int before, boolean onWorkday) when onWorkday ->
          before == 0 ? "the last weekday (Monday to Friday)" : nearest(fromEnd(before));
      case DayRule.FromEnd(int before, boolean _) -> fromEnd(before);
      case DayRule.Weekdays(int bits) -> Listing.of(set(bits), DateWords::weekday);
      case DayRule.Nth(DayOfWeek weekday, int nth) ->
          "the " + NTH.get(nth - 1) + " " + weekday(weekday.getValue());
      case DayRule.Last(DayOfWeek weekday) -> "the last " + weekday(weekday.getValue());
    };
  }

  private static String nearest(String day) {
    return "the weekday (Monday to Friday) nearest to " + day;
  }

  private static String fromEnd(int before) {
    return switch (before) {
      case 0 -> "the last day";
      case 1 -> "the day before the last day";
      default -> "the day " + before + " days before the last day";
    };
  }

  private static BitSet set(int bits) {
    return BitSet.valueOf(new long[] {Integer.toUnsignedLong(bits)});
  }

  private static String month(int number) {
    return Month.of(number).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String weekday(int number) {
    return DayOfWeek.of(number).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }
}
