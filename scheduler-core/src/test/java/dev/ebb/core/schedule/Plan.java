package dev.ebb.core.schedule;

import dev.ebb.core.job.NewJob;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A schedule that tests change step by step. */
final class Plan {
  private String name = "report";
  private final Timing timing;
  private ZoneId zone = TimeZones.UTC;
  private @Nullable Instant startAt;
  private @Nullable Instant endAt;
  private Exclusions exclusions = Exclusions.NONE;
  private NewJob template = NewJob.of("http", "{}");
  private Misfires misfires = Misfires.DEFAULT;

  private Plan(Timing timing) {
    this.timing = timing;
  }

  static Plan cron(String cron) {
    return new Plan(new Timing.ByCron(Cron.parse(cron)));
  }

  static Plan every(String interval) {
    return new Plan(new Timing.Every(Duration.parse(interval)));
  }

  Plan name(String name) {
    this.name = name;
    return this;
  }

  Plan in(String zone) {
    return in(ZoneId.of(zone));
  }

  Plan in(ZoneId zone) {
    this.zone = zone;
    return this;
  }

  Plan from(String startAt) {
    this.startAt = Instant.parse(startAt);
    return this;
  }

  Plan until(String endAt) {
    this.endAt = Instant.parse(endAt);
    return this;
  }

  Plan without(DayOfWeek... weekdays) {
    exclusions =
        new Exclusions(new TreeSet<>(List.of(weekdays)), exclusions.dates(), exclusions.yearly());
    return this;
  }

  /** As {@code 2027-01-01}, or {@code --12-25} for every year. */
  Plan without(String... days) {
    TreeSet<LocalDate> dates = new TreeSet<>();
    TreeSet<MonthDay> yearly = new TreeSet<>();
    for (String day : days) {
      if (day.startsWith("--")) {
        yearly.add(MonthDay.parse(day));
      } else {
        dates.add(LocalDate.parse(day));
      }
    }
    exclusions = new Exclusions(exclusions.weekdays(), dates, yearly);
    return this;
  }

  Plan submits(NewJob.Builder template) {
    this.template = template.build();
    return this;
  }

  Plan on(Misfires.Rule rule, int most) {
    misfires = new Misfires(rule, most);
    return this;
  }

  Schedule made() {
    return new Schedule(
        name, timing, zone, startAt, endAt, exclusions, template, misfires, Overlap.ALLOW);
  }
}
