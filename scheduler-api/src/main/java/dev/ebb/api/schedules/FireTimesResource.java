package dev.ebb.api.schedules;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.SchedulePreview;
import dev.ebb.contract.SchedulePreview.Item;
import dev.ebb.core.schedule.Fire;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Shows when schedules fire. */
final class FireTimesResource {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private FireTimesResource() {}

  static SchedulePreview of(Schedule schedule, List<Fire> fires) {
    return new SchedulePreview(
        schedule.timing().words(),
        syntax(schedule.timing()),
        schedule.zone().getId(),
        fires.stream().map(fire -> item(fire, schedule.zone())).toList());
  }

  private static String syntax(Timing timing) {
    return switch (timing) {
      case Timing.ByCron(var cron) -> ScheduleWords.of(cron.syntax());
      case Timing.Every _ -> "interval";
    };
  }

  private static Item item(Fire fire, ZoneId zone) {
    ZonedDateTime local = fire.at().atZone(zone);
    return new Item(
        Answer.shown(fire.at()),
        LOCAL.format(local),
        local.getOffset().getId(),
        ScheduleWords.of(fire.shift()));
  }
}
