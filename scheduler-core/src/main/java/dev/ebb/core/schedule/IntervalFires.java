package dev.ebb.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
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
      Instant dayEnd = endOfDay(date, at).minusNanos(1);
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

  /** An end of the date's time: a change of the clocks may lead back to a day that is past. */
  private Instant endOfDay(LocalDate date, Instant at) {
    Instant end = date.plusDays(1).atStartOfDay(zone).toInstant();
    ZoneOffsetTransition change = zone.getRules().nextTransition(at);
    return change == null || change.getInstant().isAfter(end) ? end : change.getInstant();
  }
}
