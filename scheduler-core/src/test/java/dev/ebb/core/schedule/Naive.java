package dev.ebb.core.schedule;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Days as their definition says, found by looking at all of them. */
final class Naive {
  private Naive() {}

  static boolean isWorkday(LocalDate date) {
    return date.getDayOfWeek().getValue() <= 5;
  }

  static LocalDate nearestWeekday(YearMonth month, int day) {
    return IntStream.rangeClosed(1, month.lengthOfMonth())
        .mapToObj(month::atDay)
        .filter(Naive::isWorkday)
        .min(Comparator.comparingInt(date -> Math.abs(date.getDayOfMonth() - day)))
        .orElseThrow();
  }
}
