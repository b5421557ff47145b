package dev.ebb.core.retry;

import dev.ebb.core.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * When the attempts of a job start, and when it is given up, if every attempt fails at once: what a
 * policy means in hours. All times count from when the job is due first.
 *
 * <p>Earliest and latest are sums of the shortest and the longest delays. 10 %, median and 90 % are
 * those of simulated jobs, always the same ones. Where N of them reach an attempt, the true share
 * of jobs that start before the p-quantile shown has a standard error of at most sqrt(p(1−p)/N):
 * with 10,000 jobs half a percentage point for the median and 0.3 for the 90 %, with 1,000 jobs 1.6
 * and 0.9. A policy without randomness gives exact ones.
 *
 * @param attempts from the first; those that fewer than one job in a hundred reaches before the
 *     deadline are left out
 * @param giveUp when it becomes a dead letter
 * @param givenUp the 5 %, 10 % … 95 % quantiles of the time to give up
 * @param jobs how many jobs were simulated: {@value #MAX_JOBS} up to a hundred attempts, then
 *     fewer, 1,000 at a thousand; one if the policy has no randomness
 */
public record PolicyPreview(
    List<Attempt> attempts, Times giveUp, List<Duration> givenUp, int jobs) {
  static final int MAX_JOBS = 10_000;
  private static final int MAX_DRAWS = 1_000_000;

  /**
   * An attempt's start.
   *
   * @param number from 1
   * @param chance the share of the simulated jobs that reach it before the deadline, 0.01 to 1
   * @param start of those that reach it
   */
  public record Attempt(int number, double chance, Times start) {}

  /**
   * A distribution over time since the job was due first; {@code earliest <= p10 <= median <= p90
   * <= latest}.
   *
   * @param earliest exact; where a deadline cuts a decorrelated or slots backoff, a lower bound
   * @param p10 one in ten of the simulated jobs is not later
   * @param median half of the simulated jobs are not later
   * @param p90 nine in ten of the simulated jobs are not later
   * @param latest exact; where a deadline cuts a slots backoff, an upper bound
   */
  public record Times(
      Duration earliest, Duration p10, Duration median, Duration p90, Duration latest) {

    private static Times of(Duration earliest, Duration[] sample, Duration latest) {
      Duration[] sorted = sample.clone();
      Arrays.sort(sorted);
      return new Times(
          earliest,
          SimulatedJobs.quantile(sorted, 10),
          SimulatedJobs.quantile(sorted, 50),
          SimulatedJobs.quantile(sorted, 90),
          latest);
    }
  }

  public PolicyPreview {
    attempts = List.copyOf(attempts);
    givenUp = List.copyOf(givenUp);
  }

  /**
   * Previews a policy for a job, in at most a million draws.
   *
   * @param priority {@value Priority#MIN} to {@value Priority#MAX}
   * @param maxAttempts the job's own budget, 1 to {@value RetryPolicy#MAX_ATTEMPTS}
   */
  public static PolicyPreview of(RetryPolicy policy, int priority, int maxAttempts) {
    Priority.require(priority);
    RetryPolicy.requireMaxAttempts(maxAttempts);
    StartBounds bounds = StartBounds.of(policy, priority, maxAttempts);
    int jobs = bounds.isCertain() ? 1 : Math.min(MAX_JOBS, MAX_DRAWS / maxAttempts);
    SplittableRandom random = SimulatedJobs.random();
    SimulatedJobs simulated = new SimulatedJobs(jobs);
    List<Attempt> attempts = new ArrayList<>();
    for (int n = 1; n <= maxAttempts && !simulated.areRare(); n++) {
      Times start = Times.of(bounds.earliest(n), simulated.starts(), bounds.latest(n));
      attempts.add(new Attempt(n, (double) simulated.size() / jobs, start));
      if (n < maxAttempts) {
        simulated.fail(policy.draw(priority, n), bounds.deadline(), strata(simulated, random));
      }
    }
    Times giveUp = Times.of(bounds.firstGiveUp(), simulated.ends(), bounds.lastGiveUp());
    return new PolicyPreview(attempts, giveUp, twentieths(simulated.ends()), jobs);
  }

  private static Strata strata(SimulatedJobs simulated, SplittableRandom random) {
    return new Strata(simulated.size(), random);
  }

  private static List<Duration> twentieths(Duration[] ends) {
    Arrays.sort(ends);
    return IntStream.range(1, 20).mapToObj(i -> SimulatedJobs.quantile(ends, 5 * i)).toList();
  }
}
