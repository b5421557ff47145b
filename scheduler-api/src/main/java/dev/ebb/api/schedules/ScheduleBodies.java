package dev.ebb.api.schedules;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.jobs.JobTemplates;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.schedule.Cron;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.TimeZones;
import dev.ebb.core.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the schedules that requests describe. */
final class ScheduleBodies {
  private static final String[] TIMES = {
    "cron", "every", "timeZone", "startAt", "endAt", "exclude"
  };

  /** What a schedule that is only looked at would submit. */
  private static final NewJob NOTHING = NewJob.of("preview", "null");

  private final JobTemplates templates;

  ScheduleBodies(JobTemplates templates) {
    this.templates = templates;
  }

  /** The fields of a schedule's times, and these. */
  static String[] timesAnd(String... fields) {
    String[] all = new String[TIMES.length + fields.length];
    System.arraycopy(TIMES, 0, all, 0, TIMES.length);
    System.arraycopy(fields, 0, all, TIMES.length, fields.length);
    return all;
  }

  /**
   * The schedule that the body describes.
   *
   * @param before the one that it replaces; {@code null} for none
   */
  Schedule read(String name, JsonObject body, @Nullable Schedule before, Caller caller) {
    NewJob job =
        templates.read(
            JsonObject.of(body.required("job")), before == null ? null : before.template(), caller);
    Misfires.Rule rule =
        body.optional("misfire", field -> ScheduleWords.read(field, Misfires.Rule.class));
    Integer most = body.optional("mostMisfires", JsonValue::integer);
    Overlap overlap = body.optional("overlap", field -> ScheduleWords.read(field, Overlap.class));
    Misfires misfires =
        body.build(() ->
            new Misfires(
                Objects.requireNonNullElse(rule, Misfires.DEFAULT.rule()),
                Objects.requireNonNullElse(most, Misfires.DEFAULT.most())));
    return of(name, body, job, misfires, Objects.requireNonNullElse(overlap, Overlap.ALLOW));
  }

  /** One that has the times of the body, and submits nothing. */
  static Schedule times(JsonObject body) {
    return of("preview", body, NOTHING, Misfires.DEFAULT, Overlap.ALLOW);
  }

  private static Schedule of(
      String name, JsonObject body, NewJob job, Misfires misfires, Overlap overlap) {
    Timing timing = body.build(() -> timing(body));
    ZoneId zone = body.build(() -> zone(body.optional("timeZone", JsonValue::string)));
    Instant startAt = body.optional("startAt", JsonValue::instant);
    Instant endAt = body.optional("endAt", JsonValue::instant);
    Exclusions exclusions = ExclusionsBody.read(body);
    return body.build(
        () -> new Schedule(name, timing, zone, startAt, endAt, exclusions, job, misfires, overlap));
  }

  private static Timing timing(JsonObject body) {
    String cron = body.optional("cron", JsonValue::string);
    Duration every = body.optional("every", JsonValue::duration);
    require(cron == null || every == null, "every", "must not be given together with cron");
    if (cron != null) {
      return new Timing.ByCron(Cron.parse(cron));
    }
    if (every != null) {
      return new Timing.Every(every);
    }
    throw new InvalidInput("cron", "must be given, unless every is");
  }

  private static ZoneId zone(@Nullable String name) {
    return name == null ? TimeZones.UTC : TimeZones.of(name);
  }
}
