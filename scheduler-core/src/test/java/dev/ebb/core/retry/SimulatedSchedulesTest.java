package dev.ebb.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.retry.ComingAttempts.Band;
import dev.ebb.core.retry.ComingAttempts.JobProgress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is foretold equals what the engine's own backoff draws for 100,000 jobs. */
class SimulatedSchedulesTest {
  private static final int JOBS = 100_000;
  private static final int PRIORITY = 5;
  private static final double PERCENT = 0.01;
  private static final Growth SOON_CAPPED =
      new Growth(Duration.ofSeconds(10), 2, Duration.ofSeconds(60));
  private static final Growth EVEN = new Growth(Duration.ofSeconds(30), 1, Duration.ofHours(1));

  /** Every kind of jitter, with the cap reached, with a factor of one, and one attempt left. */
  static List<RetryPolicy> policies() {
    return List.of(
        RetryPolicy.of(new Backoff.Full(Duration.ZERO, SOON_CAPPED), 12),
        RetryPolicy.of(new Backoff.Full(Duration.ofSeconds(5), EVEN), 12),
        RetryPolicy.of(new Backoff.Full(Duration.ZERO, SOON_CAPPED), 2),
        RetryPolicy.of(new Backoff.Equal(SOON_CAPPED), 12),
        RetryPolicy.of(new Backoff.Equal(EVEN), 2),
        RetryPolicy.of(new Backoff.None(SOON_CAPPED), 12),
        RetryPolicy.of(new Backoff.Additive(Duration.ofSeconds(20), SOON_CAPPED), 12),
        RetryPolicy.of(new Backoff.Decorrelated(Duration.ofSeconds(10), Duration.ofMinutes(5)), 12),
        RetryPolicy.of(
            new ListBackoff(List.of(Duration.ofSeconds(15), Duration.ofMinutes(3)), 0.2), 12));
  }

  /** When each job starts its attempts behind the first; by attempt, sorted. */
  private static double[][] starts(RetryPolicy policy) {
    SplittableRandom random = new SplittableRandom(4711);
    double[][] starts = new double[policy.maxAttempts() - 1][JOBS];
    for (int job = 0; job < JOBS; job++) {
      Duration delay = Duration.ZERO;
      Duration at = Duration.ZERO;
      for (int n = 1; n < policy.maxAttempts(); n++) {
        delay = policy.draw(PRIORITY, n).after(delay, random);
        at = at.plus(delay);
        starts[n - 1][job] = ComputedStarts.seconds(at);
      }
    }
    Arrays.stream(starts).forEach(Arrays::sort);
    return starts;
  }

  /** How many of them do not lie within a percent: of the time, or of the jobs. */
  private static int wrong(RetryPolicy foretold, double[][] starts) {
    JobProgress fresh =
        new JobProgress(PRIORITY, 1, foretold.maxAttempts(), Duration.ZERO, Duration.ZERO);
    List<Band> bands = ComingAttempts.of(foretold, fresh).bands();
    assertThat(bands).hasSize(starts.length);
    int wrong = 0;
    for (int n = 0; n < starts.length; n++) {
      ComingAttempts.Quantiles start = bands.get(n).start();
      wrong += isNear(start.p10(), starts[n], 0.1) ? 0 : 1;
      wrong += isNear(start.p50(), starts[n], 0.5) ? 0 : 1;
      wrong += isNear(start.p90(), starts[n], 0.9) ? 0 : 1;
    }
    return wrong;
  }

  private static boolean isNear(Duration foretold, double[] sorted, double share) {
    double at = ComputedStarts.seconds(foretold);
    double exact = sorted[(int) (sorted.length * share)];
    double low = sorted[(int) (sorted.length * (share - PERCENT))];
    double high = sorted[(int) (sorted.length * (share + PERCENT))];
    double slack = PERCENT * exact;
    return at >= Math.min(low, exact - slack) && at <= Math.max(high, exact + slack);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void a_bands_quantiles_are_those_of_a_hundred_thousand_schedules_within_a_percent(
      RetryPolicy policy) {
    assertThat(wrong(policy, starts(policy))).isZero();
  }

  @Test
  void control_a_band_computed_with_half_the_cap_is_not() {
    Growth half = new Growth(Duration.ofSeconds(10), 2, Duration.ofSeconds(30));
    RetryPolicy policy = policies().getFirst();
    RetryPolicy wrong = RetryPolicy.of(new Backoff.Full(Duration.ZERO, half), 12);

    assertThat(wrong(wrong, starts(policy))).isGreaterThan(20);
  }

  /** A second's share among 100,000 jobs has a standard error of 0.0016 at most. */
  @ParameterizedTest
  @MethodSource("policies")
  void the_load_of_each_second_is_what_a_hundred_thousand_jobs_start_in_it(RetryPolicy policy) {
    double[][] starts = starts(policy);
    for (RetryLoad.Point point : RetryLoad.of(policy, PRIORITY, policy.maxAttempts()).points()) {
      double from = ComputedStarts.seconds(point.at()) - 1e-6;
      double attempts = 1 + (double) before(starts, from) / JOBS;
      double share = (double) (before(starts, from + 1) - before(starts, from)) / JOBS;
      double slack = policy.backoff() instanceof Backoff.Decorrelated ? 0.02 : 0.01;
      assertThat(point.attempts()).as("%s", point).isCloseTo(attempts, byAtMost(4 * slack));
      assertThat(point.starts()).as("%s", point).isCloseTo(share, byAtMost(slack));
    }
  }

  private static org.assertj.core.data.Offset<Double> byAtMost(double slack) {
    return org.assertj.core.data.Offset.offset(slack);
  }

  private static long before(double[][] starts, double at) {
    return Arrays.stream(starts).mapToLong(one -> upTo(one, at)).sum();
  }

  /** How many of the sorted starts are not later. */
  private static int upTo(double[] sorted, double at) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Full jitter, closed form: for t below the first ceiling b, 1/b + t/(b · 2b) and little more.
   */
  @Test
  void the_peak_of_full_jitter_comes_just_before_the_first_ceiling() {
    Growth growth = new Growth(Duration.ofSeconds(100), 2, Duration.ofHours(6));
    RetryPolicy twice = RetryPolicy.of(new Backoff.Full(Duration.ZERO, growth), 3);

    RetryLoad load = RetryLoad.of(twice, PRIORITY, 3);

    assertThat(load.computed()).isTrue();
    assertThat(load.peak().at()).isEqualTo(Duration.ofSeconds(99));
    assertThat(load.peak().starts()).isCloseTo(0.01 + 99.5 / 100 / 200, byAtMost(1e-4));
  }
}
