package dev.ebb.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Durations;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Samples;
import dev.ebb.core.retry.ComingAttempts.Band;
import dev.ebb.core.retry.ComingAttempts.JobProgress;
import dev.ebb.core.retry.ComingAttempts.Quantiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComingAttemptsTest {
  private static final int SCHEDULES = 100_000;
  private static final Duration DAY = Duration.ofDays(1);

  private static JobProgress standing(int attempt, int maxAttempts) {
    return new JobProgress(5, attempt, maxAttempts, Duration.ZERO, Duration.ofSeconds(30));
  }

  private static RetryPolicy policy(Backoff backoff, int attempts, @Nullable Duration deadline) {
    return new RetryPolicy(backoff, attempts, deadline, Map.of());
  }

  /** Many jobs, one after another: when each started its attempts. */
  private static List<Duration[]> schedules(RetryPolicy policy, JobProgress from, int jobs) {
    SplittableRandom random = new SplittableRandom(11);
    Duration deadline = StartBounds.deadline(policy).minus(from.age());
    Backoff.Draw[] draws =
        IntStream.range(from.attempt(), from.maxAttempts())
            .mapToObj(n -> policy.draw(from.priority(), n))
            .toArray(Backoff.Draw[]::new);
    List<Duration[]> schedules = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      List<Duration> starts = new ArrayList<>(List.of(Duration.ZERO));
      Duration delay = from.lastDelay();
      for (Backoff.Draw draw : draws) {
        delay = draw.after(delay, random);
        if (starts.getLast().plus(delay).compareTo(deadline) > 0) {
          break;
        }
        starts.add(starts.getLast().plus(delay));
      }
      schedules.add(starts.toArray(Duration[]::new));
    }
    return schedules;
  }

  private static void agree(String what, Quantiles quantiles, Duration[] sample, int off) {
    Arrays.sort(sample);
    agrees(what + " 10 %", quantiles.p10(), sample, 10, off);
    agrees(what + " 50 %", quantiles.p50(), sample, 50, off);
    agrees(what + " 90 %", quantiles.p90(), sample, 90, off);
  }

  /** Within so many percent of the time, or of the jobs. */
  private static void agrees(
      String what, Duration quantile, Duration[] sorted, int percent, int off) {
    Duration low = sorted[sorted.length * (percent - off) / 100];
    Duration high = sorted[sorted.length * (percent + off) / 100];
    Duration exact = sorted[sorted.length * percent / 100];
    Duration slack = exact.multipliedBy(off).dividedBy(100);
    assertThat(quantile)
        .as(what)
        .isBetween(Durations.min(low, exact.minus(slack)), Durations.max(high, exact.plus(slack)));
  }

  private static void agree(RetryPolicy policy, JobProgress standing, int jobs, int off) {
    ComingAttempts coming = ComingAttempts.of(policy, standing);
    List<Duration[]> schedules = schedules(policy, standing, jobs);
    for (Band band : coming.bands()) {
      int steps = band.attempt() - standing.attempt();
      Duration[] reached =
          schedules.stream()
              .filter(starts -> starts.length > steps)
              .map(starts -> starts[steps])
              .toArray(Duration[]::new);
      assertThat((double) reached.length / jobs).isCloseTo(band.chance(), Assertions.within(0.015));
      if (2 * reached.length > jobs) {
        agree(policy + " attempt " + band.attempt(), band.start(), reached, off);
      }
    }
    Duration[] ends =
        schedules.stream().map(starts -> starts[starts.length - 1]).toArray(Duration[]::new);
    agree(policy + " gives up", coming.givesUp(), ends, off);
  }

  @Test
  void quantiles_are_those_of_a_hundred_thousand_schedules_within_a_percent() {
    for (Backoff backoff : Samples.BACKOFFS) {
      agree(policy(backoff, 12, null), standing(3, 12), SCHEDULES, 1);
    }
  }

  @Test
  void a_deadline_gives_jobs_up_as_it_does_in_schedules() {
    for (Backoff backoff : Samples.BACKOFFS) {
      JobProgress late = new JobProgress(5, 2, 12, Duration.ofMinutes(5), Duration.ofSeconds(9));
      agree(policy(backoff, 12, Duration.ofMinutes(20)), late, SCHEDULES, 1);
    }
  }

  @Test
  void a_thousand_attempts_are_foreseen_as_by_a_few_schedules() {
    Backoff full = new Backoff.Full(Duration.ZERO, Samples.GROWTH);
    Backoff decorrelated = new Backoff.Decorrelated(Duration.ofSeconds(1), Duration.ofHours(1));
    for (Backoff backoff : List.of(full, decorrelated)) {
      agree(policy(backoff, 1000, null), standing(1, 1000), 2_000, 4);
    }
  }

  @Test
  void a_policy_without_chance_is_foreseen_exactly() {
    ComingAttempts coming = ComingAttempts.of(Presets.policy("wechat"), standing(14, 16));

    Duration six = Duration.ofHours(6);
    assertThat(coming.bands())
        .containsExactly(
            new Band(15, 1, new Quantiles(six, six, six)),
            new Band(16, 1, new Quantiles(six.plus(six), six.plus(six), six.plus(six))));
    assertThat(coming.givesUp().p10()).isEqualTo(Duration.ofHours(12));
  }

  @Test
  void the_last_attempt_is_followed_by_none_and_so_is_one_at_its_deadline() {
    RetryPolicy policy = policy(new Backoff.None(Samples.GROWTH), 5, DAY);

    ComingAttempts last = ComingAttempts.of(policy, standing(5, 5));
    ComingAttempts late = ComingAttempts.of(policy, new JobProgress(5, 1, 5, DAY, Duration.ZERO));

    for (ComingAttempts coming : List.of(last, late)) {
      assertThat(coming.bands()).isEmpty();
      assertThat(coming.givesUp().p90()).isZero();
    }
  }

  @Test
  void a_decorrelated_delay_builds_on_the_last_one() {
    RetryPolicy policy =
        policy(new Backoff.Decorrelated(Duration.ofSeconds(1), Duration.ofHours(1)), 9, null);
    JobProgress fresh = new JobProgress(5, 4, 9, Duration.ZERO, Duration.ZERO);
    JobProgress slow = new JobProgress(5, 4, 9, Duration.ZERO, Duration.ofMinutes(10));

    assertThat(next(policy, fresh).p90()).isLessThan(Duration.ofSeconds(3));
    assertThat(next(policy, slow).p50()).isGreaterThan(Duration.ofMinutes(10));
  }

  private static Quantiles next(RetryPolicy policy, JobProgress standing) {
    return ComingAttempts.of(policy, standing).bands().getFirst().start();
  }

  @Test
  void a_job_beyond_its_budget_is_refused() {
    Assertions.assertThatThrownBy(() -> standing(6, 5)).isInstanceOf(InvalidInput.class);
  }
}
