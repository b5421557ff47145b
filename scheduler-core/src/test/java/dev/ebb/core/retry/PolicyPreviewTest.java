package dev.ebb.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.Broken;
import dev.ebb.core.Samples;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.retry.PolicyPreview.Attempt;
import dev.ebb.core.retry.PolicyPreview.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PolicyPreviewTest {
  private static final Instant SUBMITTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final int JOBS = 10_000;

  private static RetryPolicy policy(Backoff backoff, int attempts, @Nullable Duration deadline) {
    return new RetryPolicy(backoff, attempts, deadline, Map.of(0, 0.5, 9, 3.0));
  }

  private static void isOrdered(Times times) {
    assertThat(
            Stream.of(times.earliest(), times.p10(), times.median(), times.p90(), times.latest()))
        .as("%s", times)
        .isSorted();
  }

  @Test
  void earliest_median_ninety_percent_and_latest_come_in_this_order() {
    for (Backoff backoff : Samples.BACKOFFS) {
      for (Duration deadline : new Duration[] {null, Duration.ZERO, Duration.ofMinutes(20)}) {
        for (int priority : new int[] {0, 5, 9}) {
          PolicyPreview preview = PolicyPreview.of(policy(backoff, 12, deadline), priority, 12);
          preview.attempts().forEach(attempt -> isOrdered(attempt.start()));
          isOrdered(preview.giveUp());
          assertThat(preview.attempts().getFirst().start().latest()).isZero();
        }
      }
    }
  }

  @Test
  void a_policy_without_chance_is_previewed_exactly() {
    PolicyPreview preview = PolicyPreview.of(Presets.policy("wechat"), 5, 16);
    Duration start = Duration.ofMinutes(3).plusSeconds(60);
    assertThat(preview.jobs()).isOne();
    assertThat(preview.attempts()).hasSize(16);
    assertThat(preview.attempts().get(4))
        .isEqualTo(new Attempt(5, 1, new Times(start, start, start, start, start)));
  }

  @Test
  void full_jitter_takes_half_as_long_as_none_on_average() {
    Backoff full = new Backoff.Full(Duration.ZERO, Samples.GROWTH);
    Backoff none = new Backoff.None(Samples.GROWTH);
    SplittableRandom random = new SplittableRandom(2);
    double mean =
        Stream.generate(() -> run(policy(full, 16, null), 5, random).getLast())
            .limit(JOBS)
            .mapToLong(Duration::toSeconds)
            .average()
            .orElseThrow();
    Duration certain = PolicyPreview.of(policy(none, 16, null), 5, 16).giveUp().median();
    assertThat(mean / certain.toSeconds()).isCloseTo(0.5, within(0.005));
    Duration median = PolicyPreview.of(policy(full, 16, null), 5, 16).giveUp().median();
    assertThat((double) median.toSeconds() / certain.toSeconds()).isCloseTo(0.5, within(0.01));
  }

  /** Both sides are samples of 10,000; five standard errors of their difference are 0.036. */
  @Test
  void the_preview_agrees_with_jobs_that_really_go_through_decide() {
    for (Backoff backoff : Samples.BACKOFFS) {
      for (Duration deadline : new Duration[] {null, Duration.ofMinutes(5)}) {
        RetryPolicy policy = policy(backoff, 8, deadline);
        PolicyPreview preview = PolicyPreview.of(policy, 0, 8);
        SplittableRandom random = new SplittableRandom(99);
        List<List<Duration>> runs =
            Stream.generate(() -> run(policy, 0, random)).limit(JOBS).toList();
        for (Attempt attempt : preview.attempts()) {
          List<Duration> starts = startsOf(runs, attempt.number());
          assertThat((double) starts.size() / JOBS).isCloseTo(attempt.chance(), within(0.036));
          agrees(starts, attempt.start(), backoff);
        }
        agrees(runs.stream().map(List::getLast).toList(), preview.giveUp(), backoff);
      }
    }
  }

  @Test
  void control_the_preview_of_a_base_that_is_a_tenth_longer_does_not_agree() {
    Growth longer = new Growth(Duration.ofSeconds(11), 2, Duration.ofHours(6));
    RetryPolicy policy = policy(new Backoff.Full(Duration.ZERO, Samples.GROWTH), 8, null);
    RetryPolicy other = policy(new Backoff.Full(Duration.ZERO, longer), 8, null);
    SplittableRandom random = new SplittableRandom(99);
    List<Duration> ends =
        Stream.generate(() -> run(policy, 0, random).getLast()).limit(JOBS).toList();
    Duration median = PolicyPreview.of(other, 0, 8).giveUp().median();
    assertThat(shareUpTo(ends, median)).isGreaterThan(0.5 + 0.036);
  }

  private static void agrees(List<Duration> sample, Times times, Backoff backoff) {
    assertThat(Collections.min(sample)).isGreaterThanOrEqualTo(times.earliest());
    assertThat(Collections.max(sample)).isLessThanOrEqualTo(times.latest());
    // Slots put many jobs on one instant: a quantile there has more than its share before it.
    double above = backoff instanceof SlotBackoff || times.median().equals(times.latest()) ? 1 : 0;
    double slack = 0.036 * Math.sqrt((double) JOBS / Math.max(100, sample.size()));
    assertThat(shareUpTo(sample, times.p10())).isBetween(0.1 - slack, 0.1 + slack + above);
    assertThat(shareUpTo(sample, times.median())).isBetween(0.5 - slack, 0.5 + slack + above);
    assertThat(shareUpTo(sample, times.p90())).isBetween(0.9 - slack, 0.9 + slack + above);
  }

  private static double shareUpTo(List<Duration> sample, Duration limit) {
    long count = sample.stream().filter(time -> time.compareTo(limit) <= 0).count();
    return (double) count / sample.size();
  }

  private static List<Duration> startsOf(List<List<Duration>> runs, int number) {
    return runs.stream().filter(run -> run.size() >= number).map(r -> r.get(number - 1)).toList();
  }

  /** The starts of one job whose every attempt fails at once. */
  private static List<Duration> run(RetryPolicy policy, int priority, RandomGenerator random) {
    List<Duration> starts = new ArrayList<>();
    Duration start = Duration.ZERO;
    Duration lastDelay = Duration.ZERO;
    while (true) {
      starts.add(start);
      Job job = job(policy, priority, starts.size(), lastDelay);
      Outcome failed = Outcome.failed("test", "");
      if (!(Settlement.decide(job, failed, SUBMITTED.plus(start), random)
          instanceof Settlement.Retry(Duration delay, _, _))) {
        return starts;
      }
      lastDelay = delay;
      start = start.plus(delay);
    }
  }

  private static Job job(RetryPolicy policy, int priority, int attempt, Duration lastDelay) {
    return new Job(
        new UUID(0, 1),
        "test",
        "default",
        priority,
        "{}",
        attempt,
        policy.maxAttempts(),
        0,
        SUBMITTED,
        lastDelay,
        policy,
        null,
        false,
        null);
  }

  @Test
  void a_deadline_ends_the_list_and_the_give_up() {
    Backoff none = new Backoff.None(Samples.GROWTH);
    PolicyPreview preview = PolicyPreview.of(policy(none, 16, Duration.ofSeconds(70)), 5, 16);
    assertThat(preview.attempts()).extracting(Attempt::number).containsExactly(1, 2, 3, 4);
    assertThat(preview.giveUp().latest()).hasSeconds(70);
    preview = PolicyPreview.of(policy(none, 16, Duration.ofSeconds(69)), 5, 16);
    assertThat(preview.attempts()).hasSize(3);
    assertThat(preview.giveUp().earliest()).hasSeconds(30);
    assertThat(preview.giveUp().latest()).hasSeconds(30);
  }

  @Test
  void a_deadline_cuts_full_jitter_where_arithmetic_says() {
    Backoff full = new Backoff.Full(Duration.ZERO, Samples.GROWTH);
    PolicyPreview preview = PolicyPreview.of(policy(full, 4, Duration.ofSeconds(60)), 5, 4);
    // Every delay may be zero, and then the last attempt fails at once.
    assertThat(preview.giveUp().earliest()).isZero();
    assertThat(preview.giveUp().latest()).hasSeconds(60);
    // The third delay is at most 40 s: only from a start after 20 s does it miss the deadline.
    Backoff equal = new Backoff.Equal(Samples.GROWTH);
    preview = PolicyPreview.of(policy(equal, 4, Duration.ofSeconds(60)), 5, 4);
    assertThat(preview.giveUp().earliest()).isEqualTo(Duration.ofSeconds(20).plusNanos(1));
    assertThat(preview.giveUp().latest()).hasSeconds(60);
    assertThat(preview.attempts().getLast().start().latest()).hasSeconds(60);
    assertThat(preview.attempts().getLast().chance()).isBetween(0.5, 0.999);
  }

  @Test
  void the_jobs_budget_counts_and_not_the_policys() {
    assertThat(PolicyPreview.of(Presets.policy("default"), 5, 3).attempts()).hasSize(3);
    PolicyPreview once = PolicyPreview.of(Presets.policy("default"), 5, 1);
    assertThat(once.attempts()).hasSize(1);
    assertThat(once.giveUp().latest()).isZero();
  }

  @Test
  void priority_scales_the_preview() {
    RetryPolicy policy = policy(new Backoff.None(Samples.GROWTH), 3, null);
    assertThat(PolicyPreview.of(policy, 0, 3).giveUp().median()).hasSeconds(15);
    assertThat(PolicyPreview.of(policy, 5, 3).giveUp().median()).hasSeconds(30);
  }

  @Test
  void a_thousand_attempts_of_ten_years_do_not_overflow() {
    Duration decade = Duration.ofDays(3650);
    Growth growth = new Growth(decade, 1, decade);
    for (Backoff backoff :
        List.of(new Backoff.Full(Duration.ZERO, growth), new Backoff.Additive(decade, growth))) {
      PolicyPreview preview = PolicyPreview.of(RetryPolicy.of(backoff, 1000), 5, 1000);
      assertThat(preview.attempts()).hasSize(1000);
      assertThat(preview.jobs()).isEqualTo(1000);
      assertThat(preview.giveUp().latest()).isEqualTo(backoff.maxDelay().multipliedBy(999));
      isOrdered(preview.giveUp());
    }
  }

  @Test
  void the_same_policy_has_the_same_preview() {
    RetryPolicy policy = Presets.policy("default");
    assertThat(PolicyPreview.of(policy, 5, 16)).isEqualTo(PolicyPreview.of(policy, 5, 16));
  }

  @Test
  void each_bad_field_is_named() {
    RetryPolicy policy = Presets.policy("default");
    Broken.refuses("priority", () -> PolicyPreview.of(policy, 10, 1));
    Broken.refuses("maxAttempts", () -> PolicyPreview.of(policy, 5, 0));
    Broken.refuses("maxAttempts", () -> PolicyPreview.of(policy, 5, 1001));
  }
}
