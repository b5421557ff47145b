package dev.ebb.core.schedule;

import static java.time.DayOfWeek.FRIDAY;
import static java.time.DayOfWeek.MONDAY;
import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A cron expression beside what it means, said without it.
 *
 * @param wild whether it comes whenever the clock shows one of its times
 */
record Expression(String cron, Predicate<LocalDate> day, Time time, boolean wild) {
  /** Whether it fires at a time of such a day. */
  interface Time {
    boolean fires(int hour, int minute, int second);
  }

  static final List<Expression> ALL =
      List.of(
          of("0 0 * * *", _ -> true, at(0, 0)),
          of("30 2 * * *", _ -> true, at(2, 30)),
          of("0 2 * * *", _ -> true, at(2, 0)),
          of("0 3 * * *", _ -> true, at(3, 0)),
          of("30 1 * * *", _ -> true, at(1, 30)),
          of("59 23 * * *", _ -> true, at(23, 59)),
          of("0 9 * * 1-5", Naive::isWorkday, at(9, 0)),
          wild("0 * * * 0", on(SUNDAY), (_, m, s) -> m == 0 && s == 0),
          wild("0 */12 * * *", _ -> true, (h, m, s) -> h % 12 == 0 && m == 0 && s == 0),
          wild("30 */2 * * 6", on(SATURDAY), (h, m, s) -> h % 2 == 0 && m == 30 && s == 0),
          wild(
              "*/15 */1 * 3,10,11 0,6",
              in(3, 10, 11).and(on(SATURDAY).or(on(SUNDAY))),
              (_, m, s) -> m % 15 == 0 && s == 0),
          wild("10 0-23 * 3-4,9-11 *", in(3, 4, 9, 10, 11), (_, m, s) -> m == 10 && s == 0),
          wild("20 5 *,7 ? 3,10 SUN", in(3, 10).and(on(SUNDAY)), (_, m, s) -> m == 5 && s == 20),
          of("0 0-22/2 * * 6", on(SATURDAY), (h, m, s) -> h % 2 == 0 && m == 0 && s == 0),
          of("15,45 0-4 * * 0", on(SUNDAY), (h, m, s) -> h < 5 && m % 30 == 15 && s == 0),
          of(
              "*/5 1-3 * 3,10,11 7",
              in(3, 10, 11).and(on(SUNDAY)),
              (h, m, s) -> h >= 1 && h <= 3 && m % 5 == 0 && s == 0),
          of("0 0 1 * *", day(1), at(0, 0)),
          of("0 12 31 * *", day(31), at(12, 0)),
          of("0 0 29 2 *", in(2).and(day(29)), at(0, 0)),
          of("0 2 13 * 5", day(13).or(on(FRIDAY)), at(2, 0)),
          of("0 2 1-7 * 1", firstDays(7).or(on(MONDAY)), at(2, 0)),
          of("0 2 */2 * 1", on(MONDAY).and(date -> date.getDayOfMonth() % 2 == 1), at(2, 0)),
          of("@weekly", on(SUNDAY), at(0, 0)),
          of("@yearly", in(1).and(day(1)), at(0, 0)),
          of("0 30 2 ? * SUN", on(SUNDAY), at(2, 30)),
          of("15 59 1 L * ?", Expression::isLast, (h, m, s) -> h == 1 && m == 59 && s == 15),
          of("0 0 2 L-3 * ?", date -> isLast(date.plusDays(3)), at(2, 0)),
          of("0 30 2 15W * ?", date -> date.equals(nearest(date, 15)), at(2, 30)),
          of("0 30 1 LW * ?", date -> date.equals(nearest(date, date.lengthOfMonth())), at(1, 30)),
          of("0 30 2 ? * 1L", on(SUNDAY).and(date -> isOtherMonth(date, 7)), at(2, 30)),
          of("0 30 2 ? 3,11 1#2", in(3, 11).and(on(SUNDAY)).and(nth(2)), at(2, 30)),
          of("0 15 2 ? * 6#5", on(FRIDAY).and(nth(5)), at(2, 15)),
          of(
              "30 0/20 1-2 ? 3,4,10,11 SUN",
              in(3, 4, 10, 11).and(on(SUNDAY)),
              (h, m, s) -> (h == 1 || h == 2) && m % 20 == 0 && s == 30),
          of(
              "*/10 59 1 ? 3,10,11 SAT-SUN",
              in(3, 10, 11).and(on(SATURDAY).or(on(SUNDAY))),
              (h, m, s) -> h == 1 && m == 59 && s % 10 == 0),
          of("0 0 22-2 ? * 1", on(SUNDAY), (h, m, s) -> (h >= 22 || h <= 2) && m == 0 && s == 0),
          of(
              "0 30 2 L 2 ? 2024/4",
              in(2).and(day(29)).and(date -> date.getYear() >= 2024),
              at(2, 30)));

  private static Expression of(String cron, Predicate<LocalDate> day, Time time) {
    return new Expression(cron, day, time, false);
  }

  private static Expression wild(String cron, Predicate<LocalDate> day, Time time) {
    return new Expression(cron, day, time, true);
  }

  private static Time at(int hour, int minute) {
    return (h, m, s) -> h == hour && m == minute && s == 0;
  }

  private static Predicate<LocalDate> on(DayOfWeek weekday) {
    return date -> date.getDayOfWeek() == weekday;
  }

  private static Predicate<LocalDate> in(int... months) {
    return date -> IntStream.of(months).anyMatch(month -> date.getMonthValue() == month);
  }

  private static Predicate<LocalDate> day(int day) {
    return date -> date.getDayOfMonth() == day;
  }

  private static Predicate<LocalDate> firstDays(int days) {
    return date -> date.getDayOfMonth() <= days;
  }

  private static Predicate<LocalDate> nth(int nth) {
    return date -> (date.getDayOfMonth() + 6) / 7 == nth;
  }

  private static LocalDate nearest(LocalDate date, int day) {
    return Naive.nearestWeekday(YearMonth.from(date), day);
  }

  private static boolean isLast(LocalDate date) {
    return date.getDayOfMonth() == date.lengthOfMonth();
  }

  private static boolean isOtherMonth(LocalDate date, int days) {
    return date.plusDays(days).getMonthValue() != date.getMonthValue();
  }

  /** Its local times, in seconds since 1970 as if in UTC, found by a look at each second. */
  long[] locals(LocalDate from, LocalDate to) {
    int[] times =
        IntStream.range(0, 86_400)
            .filter(second -> time.fires(second / 3600, second / 60 % 60, second % 60))
            .toArray();
    return from.datesUntil(to)
        .filter(day)
        .mapToLong(date -> date.atStartOfDay().toEpochSecond(ZoneOffset.UTC))
        .flatMap(date -> IntStream.of(times).mapToLong(time -> date + time))
        .toArray();
  }
}
