package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Days on which a schedule does not fire; what is empty is absent.
 *
 * @param weekdays the names of days of the week
 * @param dates as 2027-01-31
 * @param yearly as --12-25
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleExclusions(
    @Nullable List<String> weekdays, @Nullable List<String> dates, @Nullable List<String> yearly) {
  /** No days. */
  public static final ScheduleExclusions NONE = new ScheduleExclusions(null, null, null);

  /** {@return the days of the week; empty for none} */
  public List<String> onWeekdays() {
    return Objects.requireNonNullElse(weekdays, List.of());
  }

  /** {@return the dates; empty for none} */
  public List<String> onDates() {
    return Objects.requireNonNullElse(dates, List.of());
  }

  /** {@return the days of each year; empty for none} */
  public List<String> everyYear() {
    return Objects.requireNonNullElse(yearly, List.of());
  }
}
