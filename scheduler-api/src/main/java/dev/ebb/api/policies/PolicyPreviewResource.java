package dev.ebb.api.policies;

import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.contract.LoadSecond;
import dev.ebb.contract.PreviewedAttempt;
import dev.ebb.contract.Times;
import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.core.retry.RetryLoad;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import java.util.List;

/** Shows what a policy means in hours. */
public final class PolicyPreviewResource {
  private static final int MOST_JOBS = 1_000_000_000;

  private PolicyPreviewResource() {}

  static dev.ebb.contract.PolicyPreview of(
      RetryPolicy policy, int priority, int maxAttempts, int jobs) {
    requireBetween(jobs, 1, MOST_JOBS, "jobs");
    PolicyPreview preview = PolicyPreview.of(policy, priority, maxAttempts);
    return new dev.ebb.contract.PolicyPreview(
        PolicyJson.shown(policy),
        priority,
        maxAttempts,
        attempts(preview),
        times(preview.giveUp()),
        preview.givenUp(),
        preview.jobs(),
        load(jobs, RetryLoad.of(policy, priority, maxAttempts)));
  }

  /** The attempts as answers show them. */
  public static List<PreviewedAttempt> attempts(PolicyPreview preview) {
    return preview.attempts().stream()
        .map(one -> new PreviewedAttempt(one.number(), one.chance(), times(one.start())))
        .toList();
  }

  /** A distribution as answers show it. */
  public static Times times(PolicyPreview.Times times) {
    return new Times(times.earliest(), times.p10(), times.median(), times.p90(), times.latest());
  }

  private static dev.ebb.contract.RetryLoad load(int jobs, RetryLoad load) {
    return new dev.ebb.contract.RetryLoad(
        jobs,
        load.computed(),
        second(jobs, load.peak()),
        load.points().stream().map(point -> second(jobs, point)).toList());
  }

  private static LoadSecond second(int jobs, RetryLoad.Point point) {
    return new LoadSecond(point.at(), rounded(point.attempts()), rounded(jobs * point.starts()));
  }

  private static double rounded(double number) {
    return Math.rint(number * 1e6) / 1e6;
  }
}
