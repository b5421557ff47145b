package dev.ebb.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fires of a cron expression in a time zone.
 *
 * <p>A local time of an expression that names its hours fires when the clocks of the zone show it
 * for the first time. One that they skip fires at the first instant after the gap, so that several
 * times may come together in one fire. An expression whose hours are a wildcard fires whenever the
 * clocks show one of its times: again where they are set back, and never for a time that they skip.
 */
record CronFires(Cron cron, ZoneId zone, Exclusions exclusions) {
  private static final Duration DAY = Duration.ofDays(1);

  /** The first one after the instant; {@code null} if there is none. */
  @Nullable Fire next(Instant after) {
    return cron.isWildHour() ? shownAndNotExcluded(after) : named(after);
  }

  private @Nullable Fire named(Instant after) {
    LocalDateTime first = cron.next(LocalDateTime.ofInstant(after, zone));
    if (first == null || fire(first).at().isAfter(after)) {
      return notExcluded(first);
    }
    // The clocks show the first time again, and maybe others after it.
    ZoneOffsetTransition overlap = zone.getRules().getTransition(first);
    return notExcluded(cron.next(overlap.getDateTimeBefore().minusNanos(1)));
  }

  /** The fire of the first local time, from that one on, whose day is not excluded. */
  private @Nullable Fire notExcluded(@Nullable LocalDateTime first) {
    if (first == null || exclusions.isEmpty()) {
      return first == null ? null : fire(first);
    }
    int lastYear = first.getYear() + CronDates.CYCLE_YEARS;
    LocalDateTime local = first;
    while (local != null && local.getYear() <= lastYear) {
      Fire fire = fire(local);
      LocalDate date = LocalDate.ofInstant(fire.at(), zone);
      if (!exclusions.contains(date)) {
        return fire;
      }
      local = cron.next(date.atTime(LocalTime.MAX));
    }
    return null;
  }

  private Fire fire(LocalDateTime local) {
    ZoneRules rules = zone.getRules();
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    return switch (offsets.size()) {
      case 0 -> new Fire(rules.getTransition(local).getInstant(), Fire.Shift.GAP);
      case 1 -> new Fire(local.toInstant(offsets.getFirst()), Fire.Shift.NONE);
      default -> new Fire(local.toInstant(offsets.getFirst()), Fire.Shift.OVERLAP);
    };
  }

  private @Nullable Fire shownAndNotExcluded(Instant after) {
    Instant at = shown(after);
    Instant end = at == null ? after : at.plus(CronDates.CYCLE);
    while (at != null && !at.isAfter(end)) {
      LocalDate date = LocalDate.ofInstant(at, zone);
      if (!exclusions.contains(date)) {
        return new Fire(at, Fire.Shift.NONE);
      }
      Instant dayEnd = TimeZones.endOfDay(zone, date, at).minusNanos(1);
      at = shown(dayEnd.isAfter(at) ? dayEnd : at);
    }
    return null;
  }

  /** The first instant after the other at which the clocks show one of the times. */
  private @Nullable Instant shown(Instant after) {
    ZoneRules rules = zone.getRules();
    ZoneOffset offset = rules.getOffset(after);
    LocalDateTime local = cron.next(LocalDateTime.ofEpochSecond(after.getEpochSecond(), 0, offset));
    ZoneOffsetTransition change = rules.nextTransition(after);
    while (change != null && isBefore(change, local, after)) {
      local = cron.next(change.getDateTimeAfter().minusNanos(1));
      offset = change.getOffsetAfter();
      change = rules.nextTransition(change.getInstant());
    }
    return local == null ? null : local.toInstant(offset);
  }

  /** Whether the clocks are set before they come to the time, or shortly after the last of all. */
  private static boolean isBefore(
      ZoneOffsetTransition change, @Nullable LocalDateTime local, Instant after) {
    return local == null
        ? change.getInstant().isBefore(after.plus(DAY))
        : !local.isBefore(change.getDateTimeBefore());
  }
}
