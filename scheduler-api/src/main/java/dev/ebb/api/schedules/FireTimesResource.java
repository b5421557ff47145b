package dev.ebb.api.schedules;

import dev.ebb.api.http.Answer;
import dev.ebb.core.schedule.Fire;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * When a schedule fires.
 *
 * @param syntax how its times were read
 */
record FireTimesResource(String words, String syntax, String timeZone, List<Item> fires) {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

  /**
   * A fire to come.
   *
   * @param local the same by the clocks of the zone
   * @param offset what those are ahead of UTC then
   * @param shift what daylight saving does to it
   */
  record Item(Instant at, String local, String offset, String shift) {
    static Item of(Fire fire, ZoneId zone) {
      ZonedDateTime local = fire.at().atZone(zone);
      return new Item(
          Answer.shown(fire.at()),
          LOCAL.format(local),
          local.getOffset().getId(),
          ScheduleWords.of(fire.shift()));
    }
  }

  static FireTimesResource of(Schedule schedule, List<Fire> fires) {
    return new FireTimesResource(
        schedule.timing().words(),
        syntax(schedule.timing()),
        schedule.zone().getId(),
        fires.stream().map(fire -> Item.of(fire, schedule.zone())).toList());
  }

  private static String syntax(Timing timing) {
    return switch (timing) {
      case Timing.ByCron(var cron) -> ScheduleWords.of(cron.syntax());
      case Timing.Every _ -> "interval";
    };
  }
}
