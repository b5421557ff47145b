package dev.ebb.core.schedule;

import static dev.ebb.core.InvalidInput.require;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Days of the schedule's zone on which it does not fire.
 *
 * @param dates at most {@value #MAX_DATES}
 */
public record Exclusions(
    SortedSet<DayOfWeek> weekdays, SortedSet<LocalDate> dates, SortedSet<MonthDay> yearly) {
  public static final int MAX_DATES = 1_000;

  /** It fires on every day. */
  public static final Exclusions NONE =
      new Exclusions(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());

  public Exclusions {
    require(dates.size() <= MAX_DATES, "exclude.dates", "must be at most " + MAX_DATES + " dates");
    weekdays = Collections.unmodifiableSortedSet(new TreeSet<>(weekdays));
    dates = Collections.unmodifiableSortedSet(new TreeSet<>(dates));
    yearly = Collections.unmodifiableSortedSet(new TreeSet<>(yearly));
  }

  public boolean isEmpty() {
    return weekdays.isEmpty() && dates.isEmpty() && yearly.isEmpty();
  }

  boolean contains(LocalDate date) {
    return weekdays.contains(date.getDayOfWeek())
        || dates.contains(date)
        || (!yearly.isEmpty() && yearly.contains(MonthDay.from(date)));
  }
}
