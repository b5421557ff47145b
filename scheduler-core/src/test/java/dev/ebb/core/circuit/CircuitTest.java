package dev.ebb.core.circuit;

import static dev.ebb.core.circuit.Circuit.Phase.CLOSED;
import static dev.ebb.core.circuit.Circuit.Phase.DISABLED;
import static dev.ebb.core.circuit.Circuit.Phase.HALF_OPEN;
import static dev.ebb.core.circuit.Circuit.Phase.OPEN;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CircuitTest {
  private static final CircuitRule RULE = CircuitRule.DEFAULT;
  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");
  private static final double UNSHIFTED = 0;
  private static final Duration LEASE = Duration.ofSeconds(10);

  private static Instant at(double seconds) {
    return START.plusNanos((long) (seconds * 1e9));
  }

  private static Circuit bad(Circuit circuit, int votes, double seconds) {
    Ballot ballot =
        new Ballot(circuit.epoch(), 0, votes, 0, 0, Set.of(UUID.randomUUID()), "http_503");
    return circuit.told(RULE, ballot, at(seconds), UNSHIFTED);
  }

  private static Circuit good(Circuit circuit, int votes, double seconds) {
    return circuit.told(
        RULE, new Ballot(circuit.epoch(), votes, 0, 0, 0, Set.of(), null), at(seconds), UNSHIFTED);
  }

  private static Outage outage(Circuit circuit) {
    return requireNonNull(circuit.outage());
  }

  private static Circuit opened() {
    return bad(Circuit.closed(START), 20, 0);
  }

  @ParameterizedTest
  @CsvSource({"10,10,OPEN", "11,10,CLOSED", "0,19,CLOSED", "0,20,OPEN", "1000,999,CLOSED"})
  void it_opens_at_its_share_of_bad_votes_and_no_sooner_than_it_has_enough(
      int good, int bad, Circuit.Phase phase) {
    assertThat(bad(good(Circuit.closed(START), good, 0), bad, 1).phase()).isEqualTo(phase);
  }

  @Test
  void votes_that_are_older_than_its_window_do_not_count() {
    Circuit early = bad(Circuit.closed(START), 19, 0);

    assertThat(bad(early, 1, 59).phase()).isEqualTo(OPEN);
    assertThat(bad(early, 1, 91).phase()).isEqualTo(CLOSED);
  }

  @Test
  void where_few_jobs_come_failures_in_a_row_of_different_jobs_open_it() {
    Circuit circuit = Circuit.closed(START);
    for (int job = 0; job < 4; job++) {
      circuit = bad(circuit, 1, 600 * job);
    }

    assertThat(circuit.phase()).isEqualTo(CLOSED);
    assertThat(bad(circuit, 1, 3000).phase()).isEqualTo(OPEN);
    assertThat(bad(good(circuit, 1, 2900), 1, 3000).phase()).isEqualTo(CLOSED);
  }

  @Test
  void one_job_that_fails_again_and_again_opens_nothing() {
    UUID poison = UUID.randomUUID();
    UUID other = UUID.randomUUID();
    Circuit circuit = Circuit.closed(START);
    for (int minute = 0; minute < 15; minute++) {
      UUID job = minute % 2 == 0 ? poison : other;
      Ballot ballot = Ballot.of(circuit.epoch(), Vote.BAD, job, "http_500");
      circuit = circuit.told(RULE, ballot, at(60 * minute), UNSHIFTED);
    }

    assertThat(circuit.phase()).isEqualTo(CLOSED);
    assertThat(circuit.tally().failing()).containsExactlyInAnyOrder(poison, other);
  }

  @Test
  void while_it_is_open_nothing_starts_and_then_one_probe_at_a_time() {
    Circuit open = opened();
    assertThat(open.admits(at(29))).isZero();
    assertThat(open.admits(at(30))).isEqualTo(1);

    Circuit probing = open.probing(at(31), LEASE);

    assertThat(probing.phase()).isEqualTo(HALF_OPEN);
    assertThat(probing.admits(at(40))).isZero();
    assertThat(good(probing, 1, 32).admits(at(32))).isEqualTo(1);
  }

  @Test
  void a_probe_that_is_never_heard_of_again_gives_way_to_another_after_its_lease() {
    Circuit lost = opened().probing(at(31), LEASE);

    assertThat(lost.admits(at(40.9))).isZero();
    assertThat(lost.admits(at(41))).isEqualTo(1);
    Circuit next = lost.probing(at(41), LEASE);
    Ballot late = Ballot.of(lost.epoch(), Vote.GOOD, UUID.randomUUID(), null);
    assertThat(next.told(RULE, late, at(42), UNSHIFTED)).isEqualTo(next);
  }

  @Test
  void attempts_that_began_before_it_opened_neither_close_it_nor_keep_it_open() {
    Circuit closed = Circuit.closed(START);
    Circuit open = opened();

    assertThat(
            open.told(
                RULE, new Ballot(closed.epoch(), 50, 0, 0, 0, Set.of(), null), at(1), UNSHIFTED))
        .isEqualTo(open);
    assertThat(
            open.told(
                RULE, new Ballot(closed.epoch(), 0, 50, 0, 0, Set.of(), "x"), at(1), UNSHIFTED))
        .isEqualTo(open);
  }

  @Test
  void it_closes_after_several_good_probes_in_a_row() {
    Circuit circuit = opened();
    for (int probe = 1; probe <= 2; probe++) {
      circuit = good(circuit.probing(at(30 + probe), LEASE), 1, 30 + probe);
      assertThat(circuit.phase()).isEqualTo(HALF_OPEN);
    }
    Circuit fails = bad(circuit.probing(at(33), LEASE), 1, 33);
    Circuit closes = good(circuit.probing(at(33), LEASE), 1, 33);

    assertThat(closes.phase()).isEqualTo(CLOSED);
    assertThat(closes.admits(at(33))).isEqualTo(Integer.MAX_VALUE);
    assertThat(fails.phase()).isEqualTo(OPEN);
    assertThat(outage(fails).goodProbes()).isZero();
  }

  @Test
  void
      a_probe_that_says_nothing_of_the_destination_decides_nothing_and_is_followed_after_a_while() {
    Circuit one = good(opened().probing(at(31), LEASE), 1, 31).probing(at(32), LEASE);

    Circuit neutral =
        one.told(
            RULE, Ballot.of(one.epoch(), Vote.NEUTRAL, UUID.randomUUID(), null), at(33), UNSHIFTED);

    assertThat(outage(neutral).goodProbes()).isEqualTo(1);
    assertThat(neutral.admits(at(62))).isZero();
    assertThat(neutral.admits(at(63))).isEqualTo(1);
    assertThat(outage(neutral).openings()).isEqualTo(1);
  }

  @Test
  void a_probe_that_did_not_call_makes_room_for_the_next_at_once() {
    Circuit probing = opened().probing(at(31), LEASE);

    Circuit free = probing.told(RULE, Ballot.none(probing.epoch()), at(33), UNSHIFTED);

    assertThat(free.phase()).isEqualTo(HALF_OPEN);
    assertThat(free.admits(at(33))).isEqualTo(1);
  }

  @Test
  void a_probe_that_is_asked_to_wait_waits_so_long() {
    Circuit probing = opened().probing(at(31), LEASE);
    Ballot neutral = Ballot.of(probing.epoch(), Vote.NEUTRAL, UUID.randomUUID(), "http_503");

    Circuit held =
        probing.told(RULE, neutral, at(32), UNSHIFTED).held(RULE, Duration.ofMinutes(5), at(32));

    assertThat(held.phase()).isEqualTo(OPEN);
    assertThat(held.heldUntil()).isEqualTo(at(332));
  }

  @Test
  void an_attempt_at_the_old_address_says_nothing_of_the_new_one() {
    Circuit closed = bad(Circuit.closed(START), 19, 1);
    Circuit moved = closed.moved(at(2));

    assertThat(moved.told(RULE, new Ballot(closed.epoch(), 0, 9, 0, 0, Set.of(), "x"), at(3), 0))
        .isEqualTo(moved);
    assertThat(bad(moved, 1, 3).phase()).isEqualTo(CLOSED);
    assertThat(opened().moved(at(1)).admits(at(1))).isEqualTo(1);
  }

  @Test
  void each_probe_that_fails_doubles_the_wait_up_to_the_longest() {
    Circuit circuit = opened();
    double now = 0;
    for (double expected : new double[] {30, 60, 120, 240, 480, 900, 900}) {
      Duration wait = Duration.between(at(now), circuit.heldUntil());
      assertThat(wait.toMillis() / 1000.0).isCloseTo(expected, within(0.001));
      now += expected;
      circuit = bad(circuit.probing(at(now), LEASE), 1, now);
    }
  }

  @Test
  void one_that_fails_for_days_is_disabled_and_tried_twice_a_day() {
    double day = 86_400;
    Circuit early = bad(opened().probing(at(4.9 * day), LEASE), 1, 4.9 * day);
    assertThat(early.phase()).isEqualTo(OPEN);

    Circuit disabled = bad(early.probing(at(5 * day), LEASE), 1, 5 * day);

    assertThat(disabled.phase()).isEqualTo(DISABLED);
    assertThat(disabled.admits(at(5.49 * day))).isZero();
    assertThat(disabled.admits(at(5.5 * day))).isEqualTo(1);
    Circuit still = bad(disabled.probing(at(5.5 * day), LEASE), 1, 5.5 * day);
    assertThat(still.phase()).isEqualTo(DISABLED);
    assertThat(outage(still).disabledSince()).isEqualTo(at(5 * day));
    assertThat(good(still.probing(at(6 * day), LEASE), 1, 6 * day).phase()).isEqualTo(HALF_OPEN);
    assertThat(still.released(at(5.6 * day)).admits(at(5.6 * day))).isEqualTo(1);
  }

  @Test
  void a_disabled_one_keeps_its_rest_whatever_a_probe_learns() {
    double day = 86_400;
    Circuit gone =
        Circuit.closed(START)
            .told(RULE, Ballot.of(0, Vote.GONE, UUID.randomUUID(), "http_410"), START, UNSHIFTED);
    Circuit probing = gone.probing(at(day / 2), LEASE);
    Ballot neutral = Ballot.of(probing.epoch(), Vote.NEUTRAL, UUID.randomUUID(), "http_404");

    Circuit after = probing.told(RULE, neutral, at(day / 2), UNSHIFTED);

    assertThat(gone.phase()).isEqualTo(DISABLED);
    assertThat(after.phase()).isEqualTo(DISABLED);
    assertThat(after.heldUntil()).isEqualTo(at(day));
    assertThat(bad(probing, 1, day / 2).heldUntil()).isEqualTo(at(day));
    assertThat(after.held(RULE, Duration.ofDays(9), at(day)).phase()).isEqualTo(DISABLED);
    assertThat(outage(after.released(at(day)).probing(at(day), LEASE)).disabledSince())
        .isEqualTo(START);
  }

  @Test
  void a_first_failure_after_it_was_enabled_opens_nothing_and_disables_nothing() {
    double day = 86_400;
    Circuit enabled = bad(opened().probing(at(5 * day), LEASE), 1, 5 * day).closedAt(at(6 * day));

    assertThat(bad(enabled, 1, 6 * day + 1).phase()).isEqualTo(CLOSED);
    assertThat(bad(enabled, 20, 6 * day + 1).phase()).isEqualTo(OPEN);
  }

  @Test
  void circuits_that_opened_together_probe_apart() {
    Random random = new Random(7);
    Set<Long> seconds = new HashSet<>();
    for (int n = 0; n < 500; n++) {
      Ballot ballot = new Ballot(0, 0, 20, 0, 0, Set.of(), "timeout");
      Circuit open = Circuit.closed(START).told(RULE, ballot, START, random.nextDouble());
      Duration wait = Duration.between(START, open.heldUntil());
      assertThat(wait).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(30));
      seconds.add(wait.toSeconds());
    }

    assertThat(seconds).hasSize(6);
  }

  @Test
  void a_request_to_wait_holds_a_closed_one_for_as_long_but_not_for_ever() {
    Circuit held = Circuit.closed(START).held(RULE, Duration.ofSeconds(40), START);
    assertThat(held.admits(at(39))).isZero();
    assertThat(held.admits(at(40))).isEqualTo(Integer.MAX_VALUE);
    assertThat(held.held(RULE, Duration.ofSeconds(5), at(1))).isEqualTo(held);

    Circuit bounded = held.held(RULE, Duration.ofDays(30), at(1));
    assertThat(bounded.heldUntil()).isEqualTo(at(1).plus(RULE.longestOpen()));
    assertThat(bounded.released(at(2)).admits(at(2))).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void it_remembers_when_it_kept_jobs_and_why() {
    Circuit held = Circuit.closed(START).held(RULE, Duration.ofSeconds(40), START);
    Circuit longer = held.held(RULE, Duration.ofSeconds(60), at(10)).released(at(20));
    Circuit again = longer.held(RULE, Duration.ofSeconds(5), at(30));

    assertThat(again.spells())
        .containsExactly(
            new Circuit.Spell(START, at(20), true), new Circuit.Spell(at(30), at(35), true));
    assertThat(opened().closedAt(at(90)).spells())
        .containsExactly(new Circuit.Spell(START, at(90), false));
    Circuit many = Circuit.closed(START);
    for (int n = 0; n < 30; n++) {
      many = many.held(RULE, Duration.ofSeconds(5), at(10 * n));
    }
    assertThat(many.spells()).hasSize(20);
    Circuit failed = opened().closedAt(at(90));
    for (int n = 0; n < 30; n++) {
      failed = failed.held(RULE, Duration.ofSeconds(5), at(100 + 10 * n));
    }
    assertThat(failed.spells()).hasSize(20).contains(new Circuit.Spell(START, at(90), false));
    assertThat(failed.held(RULE, Duration.ZERO, at(999))).isEqualTo(failed);
    Duration hour = Duration.ofHours(1);
    assertThat(many.deadlineFrom(START, hour, START, at(600))).isEqualTo(START);
  }

  @Test
  void a_deadline_stands_still_while_it_is_not_closed_but_no_longer_than_a_day() {
    Duration deadline = Duration.ofHours(24);
    Circuit open = opened();

    assertThat(open.deadlineFrom(at(-60), deadline, at(3600), at(3600))).isEqualTo(at(3540));
    Circuit closed = open.closedAt(at(7200));
    assertThat(closed.deadlineFrom(at(-60), deadline, at(9000), at(9000))).isEqualTo(at(7140));
    assertThat(closed.deadlineFrom(at(8000), deadline, at(9000), at(9000))).isEqualTo(at(8000));
    Circuit long_ = open.closedAt(at(86_400 * 3));
    assertThat(long_.deadlineFrom(at(0), deadline, at(86_400 * 3.5), at(86_400 * 3.5)))
        .isEqualTo(at(86_400));
  }

  @Test
  void a_job_that_waited_for_it_gets_an_attempt_however_late() {
    Duration deadline = Duration.ofHours(1);
    Circuit open = opened();
    Instant now = at(26 * 3600);

    Instant probe = open.deadlineFrom(at(-7200), deadline, at(10), now);
    assertThat(probe.plus(deadline)).isAfter(now);
    Circuit closed = open.closedAt(now);
    assertThat(closed.deadlineFrom(at(-7200), deadline, at(10), now.plusSeconds(900)))
        .isAfter(now.plusSeconds(900).minus(deadline));
    // It had its attempt, and was due again afterwards.
    Instant later = now.plusSeconds(90_000);
    assertThat(closed.deadlineFrom(at(-7200), deadline, now.plusSeconds(80_000), later))
        .isEqualTo(at(-7200).plus(Circuit.LONGEST_STILL));
  }

  @Test
  void after_an_hour_without_the_merchant_no_attempt_was_burnt_and_the_rest_follow_the_curve() {
    RateLimit limit = RateLimit.of(200, Duration.ofMinutes(5), 3);
    WarmUpLimiter limiter = new WarmUpLimiter(limit);
    Circuit circuit = Circuit.closed(START);
    LimiterState state = LimiterState.cold(START);
    int started = 0;
    int failed = 0;
    double closedAt = -1;
    int arrivedByMiddle = 0;
    double middle = -1;
    for (double now = 0; started - failed < 100_000; now += 0.05) {
      int admitted = Math.min(500, circuit.admits(at(now)));
      WarmUpLimiter.Grant grant = limiter.take(state, at(now), admitted);
      if (grant.permits() == 0) {
        continue;
      }
      state = grant.state();
      boolean up = now >= 3600;
      if (circuit.phase() != CLOSED) {
        circuit = circuit.probing(at(now), LEASE);
      }
      Ballot ballot =
          new Ballot(
              circuit.epoch(),
              up ? grant.permits() : 0,
              up ? 0 : grant.permits(),
              0,
              0,
              Set.of(),
              "timeout");
      boolean wasOpen = circuit.phase() != CLOSED;
      circuit = circuit.told(RULE, ballot, at(now), UNSHIFTED);
      started += grant.permits();
      failed += up ? 0 : grant.permits();
      if (up && wasOpen && circuit.phase() == CLOSED) {
        state = state.restarted();
        closedAt = now;
        middle = now + 150;
        arrivedByMiddle = started;
      }
      if (middle > 0 && now >= middle) {
        double expected = limiter.permitsFromCold(Duration.ofSeconds(150));
        assertThat((double) started - arrivedByMiddle).isCloseTo(expected, within(15.0));
        middle = -1;
      }
    }

    assertThat(closedAt).isBetween(3600.0, 3600.0 + 900 + 10);
    // Those that opened it, and a probe now and then.
    assertThat(failed).isBetween(20, 45);
  }
}
