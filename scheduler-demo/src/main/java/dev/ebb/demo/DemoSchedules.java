package dev.ebb.demo;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Cron;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.TimeZones;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.connection.Database;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.schedule.Schedules;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The schedules of the {@link Story}; those that somebody changed stay as they are. */
final class DemoSchedules {
  /** Fires every half minute, so that its page lives. */
  static final String BALANCES = "balances";

  /** Fires on the bank's days. */
  static final String REPORT = "settlement-report";

  private static final ZoneId SAO_PAULO = TimeZones.of("America/Sao_Paulo");
  private static final Exclusions HOLIDAYS =
      new Exclusions(
          new TreeSet<>(),
          new TreeSet<>(List.of(LocalDate.of(2027, 2, 8), LocalDate.of(2027, 2, 9))),
          new TreeSet<>(List.of(MonthDay.of(1, 1), MonthDay.of(9, 7), MonthDay.of(12, 25))));

  private DemoSchedules() {}

  /** Creates those that are not there; their jobs go to the merchants at the URL. */
  static void create(Database database, String merchants) throws SQLException {
    Schedules schedules = new Schedules(database);
    for (Schedule schedule : List.of(report(merchants), balances(merchants))) {
      if (schedules.find(schedule.name()).isEmpty()) {
        schedules.put(schedule, Act.onMachine("demo"), _ -> {});
      }
    }
  }

  private static Schedule report(String merchants) {
    NewJob job =
        delivery(Story.SETTLEMENTS, merchants + "/bakery-lyon/report", "settlement.report")
            .uniqueKey("report-{date}")
            .labels(Map.of("merchant", "bakery-lyon", "event", "settlement.report"))
            .build();
    return new Schedule(
        REPORT,
        new Timing.ByCron(Cron.parse("0 9 * * 1-5")),
        SAO_PAULO,
        null,
        null,
        HOLIDAYS,
        job,
        Misfires.DEFAULT,
        Overlap.QUEUE);
  }

  private static Schedule balances(String merchants) {
    NewJob job =
        delivery(Story.NOTIFICATIONS, merchants + "/as/mix/books-turin/balance", "balance.changed")
            .maxAttempts(2)
            .labels(Map.of("merchant", "books-turin", "event", "balance.changed"))
            .build();
    return new Schedule(
        BALANCES,
        new Timing.Every(Duration.ofSeconds(30)),
        TimeZones.UTC,
        null,
        null,
        Exclusions.NONE,
        job,
        new Misfires(Misfires.Rule.SKIP, Misfires.DEFAULT.most()),
        Overlap.SKIP);
  }

  private static NewJob.Builder delivery(String queue, String url, String event) {
    String payload = "{\"url\":\"%s\",\"body\":{\"event\":\"%s\"}}".formatted(url, event);
    return NewJob.builder(DeliveryJson.KIND, payload).queue(queue).timeout(Duration.ofSeconds(5));
  }
}
