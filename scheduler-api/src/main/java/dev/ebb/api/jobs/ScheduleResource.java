package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.retry.ComingAttempts;
import dev.ebb.core.retry.ComingAttempts.Quantiles;
import dev.ebb.core.retry.ComingAttempts.Standing;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.view.JobStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * When the attempts of a job will start and when it will be given up, if every attempt fails at
 * once.
 *
 * @param policy its own, its queue's or the default
 * @param next the attempt whose start is drawn already; absent while one runs, and where it would
 *     start after the deadline: then the job is given up instead
 * @param bands of the attempts behind that
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ScheduleResource(
    JsonNode policy, @Nullable Next next, List<Band> bands, Band.Times givesUpAt) {
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /** An attempt whose start is known. */
  record Next(int attempt, Instant at) {}

  /**
   * An attempt's start.
   *
   * @param chance the share of such jobs that reach it before the deadline
   * @param p10 by when one such job in ten has started it
   */
  record Band(int attempt, double chance, Instant p10, Instant p50, Instant p90) {
    /** By when one, five and nine such jobs in ten are there. */
    record Times(Instant p10, Instant p50, Instant p90) {}
  }

  static ScheduleResource of(JobStanding job) {
    int attempt = job.attempts() + 1;
    boolean waits = !job.running() && job.runAt().isAfter(job.now());
    Instant start = waits ? job.runAt() : job.now();
    Instant last = job.policy().lastStart(job.budgetFrom());
    if (!job.running() && last != null && start.isAfter(last)) {
      Instant end = Answer.shown(start);
      return new ScheduleResource(
          PolicyJson.write(job.policy()), null, List.of(), new Band.Times(end, end, end));
    }
    Standing standing =
        new Standing(
            job.priority(),
            attempt,
            Math.max(attempt, job.maxAttempts()),
            Duration.between(job.budgetFrom(), start),
            job.lastDelay());
    ComingAttempts coming = ComingAttempts.of(job.policy(), standing);
    return new ScheduleResource(
        PolicyJson.write(job.policy()),
        job.running() ? null : new Next(attempt, Answer.shown(job.runAt())),
        coming.bands().stream().map(band -> band(band, start)).toList(),
        times(coming.givesUp(), start));
  }

  private static Band band(ComingAttempts.Band band, Instant start) {
    Band.Times times = times(band.start(), start);
    return new Band(band.attempt(), band.chance(), times.p10(), times.p50(), times.p90());
  }

  private static Band.Times times(Quantiles quantiles, Instant start) {
    return new Band.Times(
        at(start, quantiles.p10()), at(start, quantiles.p50()), at(start, quantiles.p90()));
  }

  /** A thousand delays of ten years lead beyond what JSON can say. */
  private static Instant at(Instant start, Duration later) {
    Instant at = start.plus(later);
    return Answer.shown(at.isAfter(LAST) ? LAST : at);
  }
}
