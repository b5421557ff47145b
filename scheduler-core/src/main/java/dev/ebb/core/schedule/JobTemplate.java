package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/** The job of a schedule, of which each fire makes one. */
final class JobTemplate {
  private static final String SCHEDULE = "schedule";
  private static final String FIRE_AT = "fireAt";
  private static final int MAX_LABELS = NewJob.MAX_LABELS - 2;

  private JobTemplate() {}

  /** Throws unless every fire of the schedule can make a job of it. */
  static void require(NewJob template, String schedule) {
    InvalidInput.require(
        template.runAt() == null, "job.runAt", "must not be given: the schedule says when");
    InvalidInput.require(
        template.delay() == null, "job.delay", "must not be given: the schedule says when");
    Map<String, String> labels = template.labels();
    InvalidInput.require(
        !labels.containsKey(SCHEDULE) && !labels.containsKey(FIRE_AT),
        "job.labels",
        "must not be named schedule or fireAt: each fire adds these two");
    InvalidInput.require(
        labels.size() <= MAX_LABELS,
        "job.labels",
        "must be at most " + MAX_LABELS + " labels: each fire adds two");
    if (template.uniqueKey() != null) {
      UniqueKeyPattern.require(template.uniqueKey(), schedule);
    }
  }

  /**
   * The job of a fire, with the labels that tell its schedule and its time.
   *
   * @param fireAt in whole seconds; of a run by hand in microseconds, which tell it from the fire
   *     of that second
   */
  static NewJob filled(NewJob template, String schedule, ZoneId zone, Instant fireAt) {
    Instant at = fireAt.truncatedTo(ChronoUnit.MICROS);
    String key = template.uniqueKey();
    Map<String, String> labels = new TreeMap<>(template.labels());
    labels.put(SCHEDULE, schedule);
    labels.put(FIRE_AT, at.toString());
    return template.toBuilder()
        .uniqueKey(key == null ? null : UniqueKeyPattern.filled(key, schedule, zone, at))
        .labels(labels)
        .build();
  }
}
