package dev.ebb.core.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The local times that a cron expression names: each of its times on each of its dates. */
record CronTimes(CronSyntax syntax, CronClock clock, CronDates dates) {
  /** The first one after the other, in whole seconds; {@code null} if there is none. */
  @Nullable LocalDateTime next(LocalDateTime after) {
    LocalDateTime from = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    LocalDate date = dates.next(from.toLocalDate());
    if (date == null || !date.equals(from.toLocalDate())) {
      return date == null ? null : date.atTime(clock.first());
    }
    LocalTime time = clock.next(from.toLocalTime());
    return time != null ? date.atTime(time) : firstFrom(date.plusDays(1));
  }

  private @Nullable LocalDateTime firstFrom(LocalDate from) {
    LocalDate date = dates.next(from);
    return date == null ? null : date.atTime(clock.first());
  }
}
