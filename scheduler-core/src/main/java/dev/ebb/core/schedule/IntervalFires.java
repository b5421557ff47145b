package dev.ebb.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The fires of an interval: instants that daylight saving does not touch. */
record IntervalFires(Duration interval, Instant origin, ZoneId zone, Exclusions exclusions) {
  /** The first one after the instant; {@code null} if there is none. */
  @Nullable Fire next(Instant after) {
    Instant at = first(after);
    Instant end = at.plus(CronDates.CYCLE);
    while (at.isBefore(end)) {
      LocalDate date = LocalDate.ofInstant(at, zone);
      if (!exclusions.contains(date)) {
        return new Fire(at, Fire.Shift.NONE);
      }
      Instant dayEnd = TimeZones.endOfDay(zone, date, at).minusNanos(1);
      at = first(dayEnd.isAfter(at) ? dayEnd : at);
    }
    return null;
  }

  private Instant first(Instant after) {
    if (after.isBefore(origin)) {
      return origin;
    }
    long passed = Duration.between(origin, after).toSeconds() / interval.toSeconds();
    return origin.plusSeconds((passed + 1) * interval.toSeconds());
  }
}
