package dev.ebb.api.schedules;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.ScheduleExclusions;
import dev.ebb.core.schedule.Exclusions;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The days on which a schedule does not fire, in bodies and answers. */
final class ExclusionsBody {
  private static final String WEEKDAYS = "weekdays";
  private static final String DATES = "dates";
  private static final String YEARLY = "yearly";

  /** More than any of the lists may have. */
  private static final int MOST = 1_001;

  private ExclusionsBody() {}

  static Exclusions read(JsonObject schedule) {
    JsonObject body = schedule.optional("exclude", JsonObject::of);
    if (body == null) {
      return Exclusions.NONE;
    }
    body.allow(WEEKDAYS, DATES, YEARLY);
    SortedSet<DayOfWeek> weekdays =
        days(body, WEEKDAYS, day -> ScheduleWords.read(day, DayOfWeek.class));
    SortedSet<LocalDate> dates = days(body, DATES, ExclusionsBody::date);
    SortedSet<MonthDay> yearly = days(body, YEARLY, ExclusionsBody::yearly);
    return schedule.build(() -> new Exclusions(weekdays, dates, yearly));
  }

  private static <T extends Comparable<? super T>> SortedSet<T> days(
      JsonObject body, String name, Function<JsonValue, T> read) {
    SortedSet<T> days = new TreeSet<>();
    for (JsonValue value : body.list(name, MOST)) {
      days.add(read.apply(value));
    }
    return days;
  }

  private static LocalDate date(JsonValue value) {
    String text = value.string();
    try {
      if (text.length() == 10) {
        return LocalDate.parse(text);
      }
    } catch (DateTimeException noDate) {
      // It is refused as any other text.
    }
    throw Refusal.field(value.pointer(), "must be a date that there is, such as \"2027-01-31\"");
  }

  private static MonthDay yearly(JsonValue value) {
    try {
      return MonthDay.parse(value.string());
    } catch (DateTimeException noDay) {
      throw Refusal.field(
          value.pointer(), "must be a day of the year that there is, such as \"--12-25\"");
    }
  }

  /** As answers show them; {@code null} for none. */
  static @Nullable ScheduleExclusions shown(Exclusions days) {
    return days.isEmpty()
        ? null
        : new ScheduleExclusions(
            listed(days.weekdays(), ScheduleWords::of),
            listed(days.dates(), LocalDate::toString),
            listed(days.yearly(), MonthDay::toString));
  }

  private static <T> @Nullable List<String> listed(SortedSet<T> days, Function<T, String> text) {
    return days.isEmpty() ? null : days.stream().map(text).toList();
  }
}
