package dev.ebb.core.schedule;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

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
    template
        .withFollowUps()
        .forEach((pointer, job) -> {
          if (job.uniqueKey() != null) {
            String field = "job" + pointer.replace('/', '.') + ".uniqueKey";
            UniqueKeyPattern.require(job.uniqueKey(), schedule, field);
          }
        });
  }

  /**
   * The job of a fire, with the labels that tell its schedule and its time.
   *
   * @param fireAt in whole seconds; of a run by hand in microseconds, which tell it from the fire
   *     of that second
   */
  static NewJob filled(NewJob template, String schedule, ZoneId zone, Instant fireAt) {
    Instant at = fireAt.truncatedTo(ChronoUnit.MICROS);
    UnaryOperator<NewJob> keyed = job -> keyed(job, schedule, zone, at);
    Map<String, String> labels = new TreeMap<>(template.labels());
    labels.put(SCHEDULE, schedule);
    labels.put(FIRE_AT, at.toString());
    FollowUps then = template.then();
    return keyed.apply(template).toBuilder()
        .then(then == null ? null : then.planning(keyed))
        .labels(labels)
        .build();
  }

  private static NewJob keyed(NewJob job, String schedule, ZoneId zone, Instant fireAt) {
    String key = job.uniqueKey();
    return key == null
        ? job
        : job.toBuilder().uniqueKey(UniqueKeyPattern.filled(key, schedule, zone, fireAt)).build();
  }
}
