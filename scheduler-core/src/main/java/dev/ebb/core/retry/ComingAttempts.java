package dev.ebb.core.retry;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Durations;
import dev.ebb.core.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * When a job's next attempts will start, and when it will be given up, if every attempt fails at
 * once. All times count from the start of the attempt that is next or running.
 *
 * <p>The quantiles come from a fixed sample of simulated jobs: {@value #MAX_JOBS} up to {@value
 * #MANY} attempts ahead, and half as many at each doubling of that, because later sums vary less.
 *
 * @param bands of the attempts behind the first, as far as one job in a hundred comes before the
 *     deadline
 * @param givesUp when it becomes a dead letter
 */
public record ComingAttempts(List<Band> bands, Quantiles givesUp) {
  static final int MAX_JOBS = 20_000;
  static final int MANY = 25;

  /**
   * How far a job has come.
   *
   * @param attempt the number of the attempt that is next or running, from 1
   * @param maxAttempts its budget, at least the attempt
   * @param age how long before the start of that attempt its deadline began to count
   * @param lastDelay the backoff that was drawn before that attempt, zero before the first
   */
  public record JobProgress(
      int priority, int attempt, int maxAttempts, Duration age, Duration lastDelay) {
    public JobProgress {
      Priority.require(priority);
      require(attempt >= 1 && attempt <= maxAttempts, "attempt", "must be 1 to maxAttempts");
      RetryPolicy.requireMaxAttempts(maxAttempts);
      // A clock that went back makes no deadline later.
      age = Durations.max(Duration.ZERO, age);
    }
  }

  /**
   * An attempt's start.
   *
   * @param chance the share of the simulated jobs that reach it before the deadline
   */
  public record Band(int attempt, double chance, Quantiles start) {
    private static Band of(int attempt, SimulatedJobs simulated) {
      double chance = (double) simulated.size() / simulated.all();
      return new Band(attempt, chance, Quantiles.of(simulated.starts()));
    }
  }

  /** The time by which this many of a hundred jobs have started it. */
  public record Quantiles(Duration p10, Duration p50, Duration p90) {
    private static Quantiles of(Duration[] sample) {
      Duration[] sorted = sample.clone();
      Arrays.sort(sorted);
      return new Quantiles(
          SimulatedJobs.quantile(sorted, 10),
          SimulatedJobs.quantile(sorted, 50),
          SimulatedJobs.quantile(sorted, 90));
    }
  }

  public ComingAttempts {
    bands = List.copyOf(bands);
  }

  /** The attempts ahead of a job; the work is bounded for every budget. */
  public static ComingAttempts of(RetryPolicy policy, JobProgress standing) {
    Duration deadline = StartBounds.deadline(policy).minus(standing.age());
    SplittableRandom random = SimulatedJobs.random();
    int jobs = isCertain(policy, standing) ? 1 : MAX_JOBS;
    SimulatedJobs simulated = new SimulatedJobs(jobs, standing.lastDelay());
    List<Band> bands = new ArrayList<>();
    int halveAt = standing.attempt() + MANY;
    for (int n = standing.attempt(); n < standing.maxAttempts(); n++) {
      if (n == halveAt && simulated.all() > 1) {
        simulated.halve();
        halveAt += n - standing.attempt();
      }
      Strata strata = new Strata(simulated.size(), random);
      simulated.fail(policy.draw(standing.priority(), n), deadline, strata);
      if (simulated.areRare()) {
        break;
      }
      bands.add(Band.of(n + 1, simulated));
    }
    return new ComingAttempts(bands, Quantiles.of(simulated.ends()));
  }

  private static boolean isCertain(RetryPolicy policy, JobProgress standing) {
    int priority = standing.priority();
    return IntStream.range(standing.attempt(), standing.maxAttempts())
        .allMatch(n -> policy.earliest(priority, n).equals(policy.latest(priority, n)));
  }
}
