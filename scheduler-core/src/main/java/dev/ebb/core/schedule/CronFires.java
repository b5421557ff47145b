package dev.ebb.core.schedule;

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
 * <p>A local time fires when the clocks of the zone show it for the first time. One that they skip
 * fires at the first instant after the gap, so that several times may come together in one fire.
 */
record CronFires(Cron cron, ZoneId zone, Exclusions exclusions) {
  /** The first one after the instant; {@code null} if there is none. */
  @Nullable Fire next(Instant after) {
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
}
