package dev.ebb.api.jobs.read;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.AttemptForecast.Band;
import dev.ebb.contract.AttemptForecast.Next;
import dev.ebb.contract.AttemptForecast.Range;
import dev.ebb.core.retry.ComingAttempts;
import dev.ebb.core.retry.ComingAttempts.JobProgress;
import dev.ebb.core.retry.ComingAttempts.Quantiles;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.view.JobStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Shows when the attempts of a job will start. */
final class AttemptForecastResource {
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private AttemptForecastResource() {}

  /**
   * The forecast.
   *
   * @param start when the next attempt is expected to start; now while one runs
   */
  static AttemptForecast of(JobStanding job, Instant start) {
    int attempt = job.attempts() + 1;
    Instant last = job.policy().lastStart(job.budgetFrom());
    if (!job.running() && last != null && start.isAfter(last)) {
      Instant end = Answer.shown(start);
      return new AttemptForecast(
          PolicyJson.shown(job.policy()), null, List.of(), new Range(end, end, end));
    }
    JobProgress standing =
        new JobProgress(
            job.priority(),
            attempt,
            Math.max(attempt, job.maxAttempts()),
            Duration.between(job.budgetFrom(), start),
            job.lastDelay());
    ComingAttempts coming = ComingAttempts.of(job.policy(), standing);
    return new AttemptForecast(
        PolicyJson.shown(job.policy()),
        job.running() ? null : new Next(attempt, Answer.shown(start)),
        coming.bands().stream().map(band -> band(band, start)).toList(),
        times(coming.givesUp(), start));
  }

  private static Band band(ComingAttempts.Band band, Instant start) {
    Range times = times(band.start(), start);
    return new Band(band.attempt(), band.chance(), times.p10(), times.p50(), times.p90());
  }

  private static Range times(Quantiles quantiles, Instant start) {
    return new Range(
        at(start, quantiles.p10()), at(start, quantiles.p50()), at(start, quantiles.p90()));
  }

  /** A thousand delays of ten years lead beyond what JSON can say. */
  private static Instant at(Instant start, Duration later) {
    Instant at = start.plus(later);
    return Answer.shown(at.isAfter(LAST) ? LAST : at);
  }
}
