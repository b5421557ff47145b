package dev.ebb.api.policies;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.core.retry.RetryLoad;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * When the attempts of a job start and when it is given up, if every attempt fails at once. Every
 * time is a duration since the submit.
 *
 * @param givenUp by when so many twentieths of such jobs are given up
 * @param simulatedJobs how many jobs 10 %, median, 90 % and twentieths come from; earliest and
 *     latest are computed
 * @param load by jobs that fail together
 */
record PolicyPreviewResource(
    JsonNode policy,
    int priority,
    int maxAttempts,
    List<PolicyPreview.Attempt> attempts,
    PolicyPreview.Times giveUp,
    List<Duration> givenUp,
    int simulatedJobs,
    Load load) {
  private static final int MOST_JOBS = 1_000_000_000;

  /**
   * What jobs that fail together ask of their receiver.
   *
   * @param computed whether no job was simulated for it
   */
  record Load(int jobs, boolean computed, Second peak, List<Second> seconds) {
    static Load of(int jobs, RetryLoad load) {
      return new Load(
          jobs,
          load.computed(),
          Second.of(jobs, load.peak()),
          load.points().stream().map(point -> Second.of(jobs, point)).toList());
    }
  }

  /**
   * A second.
   *
   * @param at since they failed
   * @param attempts that each has started before it, on average
   * @param starts in it, of all together
   */
  record Second(Duration at, double attempts, double starts) {
    private static Second of(int jobs, RetryLoad.Point point) {
      return new Second(point.at(), rounded(point.attempts()), rounded(jobs * point.starts()));
    }

    private static double rounded(double number) {
      return Math.rint(number * 1e6) / 1e6;
    }
  }

  static PolicyPreviewResource of(RetryPolicy policy, int priority, int maxAttempts, int jobs) {
    require(jobs >= 1 && jobs <= MOST_JOBS, "jobs", "must be between 1 and " + MOST_JOBS);
    PolicyPreview preview = PolicyPreview.of(policy, priority, maxAttempts);
    return new PolicyPreviewResource(
        PolicyJson.write(policy),
        priority,
        maxAttempts,
        preview.attempts(),
        preview.giveUp(),
        preview.givenUp(),
        preview.jobs(),
        Load.of(jobs, RetryLoad.of(policy, priority, maxAttempts)));
  }
}
