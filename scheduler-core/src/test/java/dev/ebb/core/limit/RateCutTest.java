package dev.ebb.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The closed loop: a receiver that throttles, and the rate that gives way. */
class RateCutTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final RateLimit LIMIT = RateLimit.of(200, Duration.ZERO, 1);

  private final WarmUpLimiter limiter = new WarmUpLimiter(LIMIT);

  private static Instant at(double seconds) {
    return START.plusNanos((long) (seconds * 1e9));
  }

  private static double share(LimiterState state, double seconds) {
    return state.share(at(seconds));
  }

  @Test
  void a_throttled_attempt_halves_the_rate_at_once() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(1), at(2));

    assertThat(share(cut, 2)).isEqualTo(0.5);
    assertThat(limiter.view(cut, at(2)).currentRate()).isCloseTo(100, within(1e-9));
  }

  @Test
  void attempts_that_started_too_early_to_feel_the_cut_do_not_cut_again() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(1), at(2));

    assertThat(share(limiter.throttled(cut, at(1.9), at(3.5)), 3.5)).isEqualTo(0.5);
    assertThat(share(limiter.throttled(cut, at(2.9), at(3.5)), 3.5)).isEqualTo(0.5);
    assertThat(share(limiter.throttled(cut, at(3), at(3)), 3)).isEqualTo(0.25);
  }

  @Test
  void after_the_cool_off_it_climbs_to_nine_tenths_and_then_probes_up_to_the_limit() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(1), at(2));

    assertThat(share(cut, 3)).isEqualTo(0.5);
    assertThat(share(cut, 4.5)).isCloseTo(0.7, within(1e-9));
    assertThat(share(cut, 6)).isCloseTo(0.9, within(1e-9));
    assertThat(share(cut, 11)).isCloseTo(0.95, within(1e-9));
    assertThat(share(cut, 16)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 0",
    "1, 0.5, 3.3",
    "1, 0.95, 2",
    "0.3, 0.5, 0",
    "0.3, 0.9, 9",
    "0.01, 0.5, 20"
  })
  void between_the_points_of_its_recovery_the_share_rises_evenly_and_behind_them_it_is_whole(
      double ceiling, double factor, double now) {
    RateCut cut = RateCut.now(ceiling, factor, START);
    List<RateCut.Point> points = cut.recovery(at(now));

    for (int i = 1; i < points.size(); i++) {
      RateCut.Point from = points.get(i - 1);
      RateCut.Point to = points.get(i);
      Instant middle = at(now).plus(from.after().plus(to.after()).dividedBy(2));
      assertThat(cut.share(middle)).isCloseTo((from.share() + to.share()) / 2, within(1e-6));
    }
    assertThat(points.getFirst().after()).isZero();
    assertThat(points.getLast().share()).isEqualTo(1);
  }

  @Test
  void it_recovers_only_after_a_cool_off_in_which_nothing_was_throttled() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(1), at(2));

    LimiterState late = limiter.throttled(cut, at(1), at(20));

    assertThat(share(cut, 20)).isEqualTo(1);
    assertThat(share(late, 21)).isEqualTo(0.5);
    assertThat(share(late, 24)).isCloseTo(0.9, within(1e-9));
    assertThat(share(limiter.throttled(late, at(3), at(21)), 21)).as("felt it").isEqualTo(0.25);
  }

  @Test
  void it_is_never_cut_to_nothing() {
    LimiterState state = LimiterState.cold(START);
    for (int i = 1; i <= 100; i++) {
      state = limiter.throttled(state, at(i), at(i));
    }

    assertThat(share(state, 100)).isEqualTo(RateCut.LEAST);
    assertThat(share(state, 300)).as("three minutes later").isEqualTo(1);
  }

  @Test
  void a_cut_in_the_future_of_a_clock_that_was_set_back_recovers_as_from_now() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(3_600), at(3_600));

    LimiterState synced = limiter.take(cut, at(0), 1).state();

    assertThat(share(synced, 4)).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void a_factor_of_one_turns_the_loop_off() {
    WarmUpLimiter open = new WarmUpLimiter(new RateLimit(200, Duration.ZERO, 1, 1));
    LimiterState state = LimiterState.cold(START);

    assertThat(open.throttled(state, at(1), at(2))).isEqualTo(state);
    LimiterState cut = limiter.throttled(state, at(1), at(2));
    assertThat(open.view(cut, at(2)).currentRate()).isCloseTo(200, within(1e-9));
  }

  @Test
  void attempts_from_before_the_clock_was_set_back_do_not_cut_again() {
    LimiterState cut = limiter.throttled(LimiterState.cold(START), at(3_600), at(3_601));

    LimiterState after = limiter.throttled(cut, at(3_602), at(2));

    assertThat(share(after, 2)).isEqualTo(0.5);
  }

  /**
   * Calls to a receiver that takes 50 a second, and is asked for 200: those of the last of several
   * minutes.
   */
  private record Minute(double acceptedPerSecond, double wasted) {
    private static final int MINUTES = 6;

    static Minute of(Duration warmUp, double throttleFactor, long answerMillis) {
      WarmUpLimiter limiter = new WarmUpLimiter(new RateLimit(200, warmUp, 3, throttleFactor));
      long counted = (MINUTES - 1) * 60_000;
      LimiterState state = LimiterState.cold(START);
      ArrayDeque<Instant> window = new ArrayDeque<>();
      ArrayDeque<Instant> underWay = new ArrayDeque<>();
      int accepted = 0;
      int refused = 0;
      for (long millis = 0; millis < MINUTES * 60_000; millis++) {
        Instant now = START.plusMillis(millis);
        WarmUpLimiter.Grant grant = limiter.take(state, now, 500);
        state = grant.state();
        for (int i = 0; i < grant.permits(); i++) {
          while (!window.isEmpty() && window.element().until(now, ChronoUnit.MILLIS) >= 1_000) {
            window.remove();
          }
          if (window.size() < 50) {
            window.add(now);
            accepted += millis >= counted ? 1 : 0;
          } else {
            refused += millis >= counted ? 1 : 0;
            underWay.add(now);
          }
        }
        while (!underWay.isEmpty()
            && underWay.element().until(now, ChronoUnit.MILLIS) >= answerMillis) {
          state = limiter.throttled(state, underWay.remove(), now);
        }
      }
      return new Minute(accepted / 60.0, (double) refused / (accepted + refused));
    }
  }

  @ParameterizedTest
  @CsvSource({"PT0S, 20", "PT10S, 20", "PT1M, 20", "PT0S, 1000", "PT10S, 1000"})
  void it_converges_to_what_the_receiver_takes_and_wastes_less_than_a_tenth(
      Duration warmUp, long answerMillis) {
    Minute closed = Minute.of(warmUp, 0.5, answerMillis);

    assertThat(closed.acceptedPerSecond).isBetween(40.0, 50.0);
    assertThat(closed.wasted).isLessThan(0.1);
  }

  @ParameterizedTest
  @CsvSource({"5000", "10000", "30000"})
  void where_answers_take_long_it_still_wastes_less_than_half_of_what_it_would_without_the_loop(
      long answerMillis) {
    Minute open = Minute.of(Duration.ZERO, 1, answerMillis);
    Minute closed = Minute.of(Duration.ZERO, 0.5, answerMillis);
    System.out.println(answerMillis + " ms until an answer: " + closed);

    assertThat(open.wasted).isGreaterThan(0.7);
    assertThat(closed.wasted).isLessThan(open.wasted / 2);
  }

  @Test
  void control_without_the_loop_most_calls_are_wasted() {
    assertThat(Minute.of(Duration.ZERO, 1, 20).wasted).isGreaterThan(0.5);
  }
}
