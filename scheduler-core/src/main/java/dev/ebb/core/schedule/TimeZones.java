package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The time zones of schedules: UTC, and IANA's by area and place, such as Europe/Berlin. */
public final class TimeZones {
  /** Where nothing is said. */
  public static final ZoneId UTC = ZoneId.of("UTC");

  private static final String FIELD = "timeZone";
  private static final String RULE =
      "must be UTC or an IANA time zone such as Europe/Berlin; offsets and legacy names such as"
          + " EST are not allowed";
  private static final SortedSet<String> IDS = ids(ZoneId.getAvailableZoneIds());

  private TimeZones() {}

  private static SortedSet<String> ids(Iterable<String> available) {
    SortedSet<String> ids = new TreeSet<>();
    for (String id : available) {
      if (id.equals("UTC") || (id.contains("/") && !id.startsWith("SystemV/"))) {
        ids.add(id);
      }
    }
    return Collections.unmodifiableSortedSet(ids);
  }

  /** All names. */
  public static SortedSet<String> ids() {
    return IDS;
  }

  /** The time zone of that name; throws {@link InvalidInput} on {@code timeZone}. */
  public static ZoneId of(String id) {
    InvalidInput.require(IDS.contains(id), FIELD, RULE + "." + NearMiss.question(id, IDS));
    return ZoneId.of(id);
  }

  /** An end of the date's time: a change of the clocks may lead back to a day that is past. */
  static Instant endOfDay(ZoneId zone, LocalDate date, Instant at) {
    Instant end = date.plusDays(1).atStartOfDay(zone).toInstant();
    ZoneOffsetTransition change = zone.getRules().nextTransition(at);
    return change == null || change.getInstant().isAfter(end) ? end : change.getInstant();
  }

  /** Throws unless the zone is one of these. */
  static void require(ZoneId zone) {
    InvalidInput.require(IDS.contains(zone.getId()), FIELD, RULE);
  }
}
