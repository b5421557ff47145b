package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Durations;
import dev.ebb.core.Samples;
import dev.ebb.core.job.Settlement.Cancel;
import dev.ebb.core.job.Settlement.Complete;
import dev.ebb.core.job.Settlement.DeadLetter;
import dev.ebb.core.job.Settlement.GiveBack;
import dev.ebb.core.job.Settlement.Retry;
import dev.ebb.core.job.Settlement.Snooze;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.core.retry.SlotBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SettlementTest {
  private static final Instant SUBMITTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = SUBMITTED.plusSeconds(60);
  private static final Failure FAILURE = new Failure("http_500", "Internal Server Error");
  private static final Growth GROWTH =
      new Growth(Duration.ofSeconds(10), 2, Duration.ofMinutes(10));
  private static final Backoff NONE = new Backoff.None(GROWTH);
  private static final List<Outcome> OUTCOMES =
      List.of(
          new Outcome.Completed(),
          new Outcome.Failed(FAILURE),
          new Outcome.Throttled(FAILURE, Duration.ofSeconds(1)),
          new Outcome.NotReady(null),
          new Outcome.Fatal(FAILURE),
          new Outcome.Cancelled(),
          new Outcome.GivenBack());

  /** A job on its third of five attempts, after four snoozes. */
  private record Given(RetryPolicy policy, int attempt, int priority, boolean cancelRequested) {
    static Given policy(Backoff backoff) {
      return policy(backoff, null);
    }

    static Given policy(Backoff backoff, @Nullable Duration deadline) {
      return new Given(new RetryPolicy(backoff, 99, deadline, Map.of(0, 0.5)), 3, 5, false);
    }

    Given attempt(int number) {
      return new Given(policy, number, priority, cancelRequested);
    }

    Given priority(int value) {
      return new Given(policy, attempt, value, cancelRequested);
    }

    Given cancelled() {
      return new Given(policy, attempt, priority, true);
    }

    Settlement decide(Outcome outcome, long seed) {
      return Settlement.decide(job(), outcome, NOW, new SplittableRandom(seed));
    }

    Settlement decide(Outcome outcome, Duration floor) {
      return Settlement.decide(job(), outcome, floor, NOW, new SplittableRandom(1));
    }

    private Job job() {
      return new Job(
          new UUID(0, 1),
          "http",
          "default",
          priority,
          "{}",
          attempt,
          5,
          4,
          SUBMITTED,
          Duration.ofSeconds(25),
          policy,
          null,
          cancelRequested,
          null);
    }

    Settlement decide(Outcome outcome) {
      return decide(outcome, 1);
    }
  }

  @Test
  void each_outcome_has_its_settlement() {
    Given given = Given.policy(NONE);
    assertThat(OUTCOMES.stream().map(given::decide))
        .containsExactly(
            new Complete(),
            new Retry(Duration.ofSeconds(40), FAILURE),
            new Retry(Duration.ofSeconds(41), Duration.ofSeconds(40), FAILURE),
            new Snooze(Duration.ofSeconds(160)),
            new DeadLetter("http_500", FAILURE),
            new Cancel(),
            new GiveBack());
  }

  @Test
  void a_cancel_request_beats_every_outcome_but_completed() {
    for (Given given :
        List.of(
            Given.policy(NONE), Given.policy(NONE, Duration.ZERO), Given.policy(NONE).attempt(5))) {
      for (Outcome outcome : OUTCOMES) {
        assertThat(given.cancelled().decide(outcome))
            .isEqualTo(outcome instanceof Outcome.Completed ? new Complete() : new Cancel());
      }
    }
  }

  @Test
  void the_last_attempt_of_the_jobs_own_budget_is_a_dead_letter() {
    Given last = Given.policy(NONE).attempt(5);
    DeadLetter usedUp = new DeadLetter("attempts_used_up", FAILURE);
    assertThat(last.decide(new Outcome.Failed(FAILURE))).isEqualTo(usedUp);
    assertThat(last.decide(new Outcome.Throttled(FAILURE, Duration.ZERO))).isEqualTo(usedUp);
    assertThat(last.attempt(6).decide(new Outcome.Failed(FAILURE))).isEqualTo(usedUp);
    assertThat(last.attempt(4).decide(new Outcome.Failed(FAILURE)))
        .isEqualTo(new Retry(Duration.ofSeconds(80), FAILURE));
  }

  @Test
  void the_last_attempt_may_still_complete_poll_be_released_or_fail_for_good() {
    Given last = Given.policy(NONE).attempt(5);
    assertThat(last.decide(new Outcome.Completed())).isEqualTo(new Complete());
    assertThat(last.decide(new Outcome.NotReady(null))).isInstanceOf(Snooze.class);
    assertThat(last.decide(new Outcome.GivenBack())).isEqualTo(new GiveBack());
    assertThat(last.decide(new Outcome.Fatal(FAILURE)))
        .isEqualTo(new DeadLetter("http_500", FAILURE));
  }

  @Test
  void no_attempt_starts_after_the_deadline_but_one_may_start_at_it() {
    Duration atIt = Duration.ofSeconds(60 + 40);
    DeadLetter late = new DeadLetter("deadline", FAILURE);
    Outcome failed = new Outcome.Failed(FAILURE);
    assertThat(Given.policy(NONE, atIt).decide(failed)).isInstanceOf(Retry.class);
    assertThat(Given.policy(NONE, atIt.minusNanos(1)).decide(failed)).isEqualTo(late);
    assertThat(Given.policy(NONE, atIt).decide(new Outcome.Throttled(FAILURE, Duration.ofNanos(1))))
        .isEqualTo(late);
  }

  @Test
  void an_attempt_that_would_start_after_the_deadline_is_a_dead_letter_of_its_own_reason() {
    Outcome late = Settlement.tooLate(lastOfHour(), SUBMITTED.plusSeconds(3_601)).orElseThrow();

    assertThat(Settlement.decide(lastOfHour(), late, NOW, new SplittableRandom(1)))
        .isEqualTo(
            new DeadLetter(
                "deadline",
                new Failure(
                    "deadline",
                    "Not started: its policy's deadline, 2026-01-01T01:00:00Z, had passed.")));
  }

  @Test
  void an_attempt_may_start_at_its_deadline_or_whenever_there_is_none() {
    assertThat(Settlement.tooLate(lastOfHour(), SUBMITTED.plusSeconds(3_600))).isEmpty();
    assertThat(Settlement.tooLate(Given.policy(NONE).job(), Instant.MAX)).isEmpty();
  }

  private static Job lastOfHour() {
    return Given.policy(NONE, Duration.ofHours(1)).attempt(5).job();
  }

  @Test
  void a_poll_after_the_deadline_is_a_dead_letter_that_says_not_ready() {
    Outcome notReady = new Outcome.NotReady(Duration.ofSeconds(30));
    assertThat(Given.policy(NONE, Duration.ofSeconds(90)).decide(notReady))
        .isEqualTo(new Snooze(Duration.ofSeconds(30)));
    assertThat(Given.policy(NONE, Duration.ofSeconds(89)).decide(notReady))
        .isInstanceOfSatisfying(
            DeadLetter.class,
            dead -> {
              assertThat(dead.reason()).isEqualTo("deadline");
              assertThat(dead.failure().reason()).isEqualTo("not_ready");
            });
  }

  @Test
  void a_poll_waits_what_its_handler_asks_for_but_never_spins() {
    Given given = Given.policy(NONE);
    assertThat(given.decide(new Outcome.NotReady(Duration.ZERO)))
        .isEqualTo(new Snooze(Duration.ofMillis(100)));
    assertThat(given.decide(new Outcome.NotReady(Duration.ofDays(1))))
        .isEqualTo(new Snooze(Duration.ofDays(1)));
    assertThat(given.decide(new Outcome.NotReady(Duration.ofSeconds(Long.MAX_VALUE))))
        .isEqualTo(new Snooze(Duration.ofDays(3650)));
    Backoff atOnce = new SlotBackoff(Duration.ZERO);
    assertThat(Given.policy(atOnce).decide(new Outcome.NotReady(null)))
        .isEqualTo(new Snooze(Duration.ofMillis(100)));
  }

  @Test
  void an_urgent_job_backs_off_less() {
    Given given = Given.policy(NONE);
    assertThat(given.priority(0).decide(new Outcome.Failed(FAILURE)))
        .isEqualTo(new Retry(Duration.ofSeconds(20), FAILURE));
    assertThat(given.priority(1).decide(new Outcome.Failed(FAILURE)))
        .isEqualTo(new Retry(Duration.ofSeconds(40), FAILURE));
  }

  @Test
  void the_previous_delay_reaches_decorrelated_jitter() {
    Given given =
        Given.policy(new Backoff.Decorrelated(Duration.ofSeconds(10), Duration.ofDays(1)));
    for (long seed = 0; seed < 1000; seed++) {
      assertThat(delay(given, new Outcome.Failed(FAILURE), seed))
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(75));
    }
  }

  @Test
  void a_retry_after_is_never_undercut_and_the_cap_never_passed() {
    List<Duration> asked =
        Samples.durations(
            "PT0S", "PT1S", "PT59S", "PT9M59S", "PT10M", "PT10M0.000000001S", "P900D");
    for (Backoff backoff : Samples.BACKOFFS) {
      for (Duration retryAfter : asked) {
        neverUndercutNorPassed(backoff, retryAfter);
      }
      neverUndercutNorPassed(backoff, Duration.ofSeconds(Long.MAX_VALUE));
    }
  }

  private static void neverUndercutNorPassed(Backoff backoff, Duration retryAfter) {
    Outcome outcome = new Outcome.Throttled(FAILURE, retryAfter);
    Duration cap = backoff.maxDelay();
    for (long seed = 0; seed < 200; seed++) {
      Given given = Given.policy(backoff).priority((int) (seed % 10));
      assertThat(delay(given, outcome, seed))
          .as("%s, Retry-After %s", backoff, retryAfter)
          .isBetween(Durations.min(cap, retryAfter), cap);
    }
  }

  @Test
  void no_retry_comes_sooner_than_the_kinds_floor_even_beyond_the_policys_cap() {
    Duration floor = Duration.ofMillis(100);
    Retry atFloor = new Retry(floor, Duration.ZERO, FAILURE);
    Given hammering = Given.policy(none(Duration.ZERO, Duration.ofMillis(10)));
    Given patient = Given.policy(none(Duration.ofMillis(30), Duration.ofMillis(120)));

    assertThat(hammering.decide(new Outcome.Failed(FAILURE), floor)).isEqualTo(atFloor);
    assertThat(hammering.decide(throttled(Duration.ofDays(1)), floor)).isEqualTo(atFloor);
    assertThat(patient.attempt(1).decide(new Outcome.Failed(FAILURE), floor))
        .isEqualTo(new Retry(floor, Duration.ofMillis(30), FAILURE));
    assertThat(patient.decide(new Outcome.Failed(FAILURE), floor))
        .isEqualTo(new Retry(Duration.ofMillis(120), FAILURE));
    assertThat(patient.attempt(1).decide(throttled(Duration.ofMillis(80)), floor))
        .isEqualTo(new Retry(Duration.ofMillis(110), Duration.ofMillis(30), FAILURE));
  }

  @Test
  void a_retry_that_the_floor_puts_behind_the_deadline_is_a_dead_letter() {
    Outcome failed = new Outcome.Failed(FAILURE);
    Given close = Given.policy(none(Duration.ZERO, Duration.ZERO), Duration.ofSeconds(61));

    assertThat(close.decide(failed, Duration.ofSeconds(1)))
        .isEqualTo(new Retry(Duration.ofSeconds(1), Duration.ZERO, FAILURE));
    assertThat(close.decide(failed, Duration.ofMillis(1_001)))
        .isEqualTo(new DeadLetter("deadline", FAILURE));
  }

  @Test
  void the_floor_is_for_retries_alone() {
    Given given = Given.policy(NONE);
    for (Outcome outcome : OUTCOMES) {
      if (!(outcome instanceof Outcome.Failed || outcome instanceof Outcome.Throttled)) {
        assertThat(given.decide(outcome, Duration.ofHours(1))).isEqualTo(given.decide(outcome));
      }
    }
  }

  private static Backoff none(Duration base, Duration cap) {
    return new Backoff.None(new Growth(base, 2, cap));
  }

  private static Outcome throttled(Duration retryAfter) {
    return new Outcome.Throttled(FAILURE, retryAfter);
  }

  @Test
  void jobs_throttled_together_do_not_come_back_together() {
    Given given = Given.policy(new Backoff.Full(Duration.ZERO, GROWTH));
    Outcome throttled = new Outcome.Throttled(FAILURE, Duration.ofSeconds(30));
    assertThat(LongStream.range(0, 100).mapToObj(s -> delay(given, throttled, s)))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_scale_does_not_carry_slots_beyond_the_cap_of_their_policy() {
    RetryPolicy policy =
        new RetryPolicy(new SlotBackoff(Duration.ofSeconds(1)), 99, null, Map.of(5, 100.0));
    Given given = new Given(policy, 3, 5, false);
    for (long seed = 0; seed < 100; seed++) {
      assertThat(delay(given, new Outcome.Failed(FAILURE), seed))
          .isLessThanOrEqualTo(Duration.ofSeconds(1023));
    }
  }

  @Test
  void the_same_random_decides_the_same() {
    Given given = Given.policy(new Backoff.Full(Duration.ZERO, GROWTH));
    Outcome failed = new Outcome.Failed(FAILURE);
    assertThat(given.decide(failed, 5)).isEqualTo(given.decide(failed, 5));
    assertThat(given.decide(failed, 5)).isNotEqualTo(given.decide(failed, 6));
  }

  private static Duration delay(Given given, Outcome outcome, long seed) {
    return ((Retry) given.decide(outcome, seed)).delay();
  }
}
