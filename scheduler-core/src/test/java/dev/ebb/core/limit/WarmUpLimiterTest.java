package dev.ebb.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.alibaba.csp.sentinel.node.StatisticNode;
import com.alibaba.csp.sentinel.slots.block.flow.controller.WarmUpController;
import com.alibaba.csp.sentinel.util.TimeUtil;
import com.google.common.util.concurrent.GuavaLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The curve, beside Guava's limiter and Sentinel's. */
class WarmUpLimiterTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration NO_BURST = Duration.ZERO;

  static {
    // It writes a log, by default below the user's home.
    System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
  }

  /** A limiter with its state, on a clock of microseconds. */
  private static final class Ours {
    WarmUpLimiter limiter;
    LimiterState state = LimiterState.cold(START);
    long passed;

    Ours(RateLimit limit, Duration burst) {
      limiter = new WarmUpLimiter(limit, burst);
    }

    /** Answers when to ask again, in microseconds from the start. */
    long claim(long micros, int wanted) {
      return START.until(take(micros, wanted).askAgainAt(), ChronoUnit.MICROS);
    }

    WarmUpLimiter.Grant take(long micros, int wanted) {
      WarmUpLimiter.Grant grant = limiter.take(state, at(micros), wanted);
      assertThat(grant.permits()).isBetween(0, wanted);
      state = grant.state();
      passed += grant.permits();
      return grant;
    }
  }

  private static Instant at(long micros) {
    return START.plus(micros, ChronoUnit.MICROS);
  }

  private static RateLimit random(SplittableRandom random) {
    double rate = Math.pow(10, random.nextDouble(-1, 4));
    double coldFactor = random.nextDouble(1.1, 10);
    double seconds =
        switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1, 2 -> random.nextDouble(600);
          // So short that the ramp has few permits, and some hundred claims come to its end.
          default -> Math.min(600, random.nextDouble(100) * (1 + coldFactor) / (2 * rate));
        };
    return RateLimit.of(rate, Duration.ofMillis((long) (1_000 * seconds)), coldFactor);
  }

  @Test
  void it_equals_guavas_within_one_permit_at_every_instant_of_thousands_of_arrival_patterns() {
    int warmed = 0;
    for (int seed = 0; seed < 4_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RateLimit limit = random(random);
      Ours ours = new Ours(limit, NO_BURST);
      boolean wasWarm = false;
      GuavaLimiter guava =
          new GuavaLimiter(limit.permitsPerSecond(), limit.warmUp(), limit.coldFactor());
      double interval = 1e6 / limit.permitsPerSecond();
      long now = 0;
      long guavas = 0;
      double longest = random.nextBoolean() ? 0.5 : 1.5;
      for (int i = 0; i < 1_500; i++) {
        now += gap(random, longest * interval, limit);
        ours.claim(now, 1);
        guavas += guava.tryAcquire(now) ? 1 : 0;
        assertThat(Math.abs(ours.passed - guavas)).as("seed %s, %s", seed, limit).isLessThan(2);
        wasWarm |= ours.limiter.view(ours.state, at(now)).phase() == WarmUpLimiter.Phase.WARM;
      }
      assertThat(ours.passed).isPositive();
      warmed += wasWarm && limit.warmUp().isPositive() ? 1 : 0;
    }
    assertThat(warmed).as("patterns that came down the whole slope").isGreaterThan(1_000);
  }

  /** Mostly up to so long, sometimes an idle time of up to two periods. */
  private static long gap(SplittableRandom random, double longest, RateLimit limit) {
    long idle = 2 * limit.warmUp().toNanos() / 1000;
    return random.nextInt(500) == 0 && idle > 0
        ? random.nextLong(idle)
        : (long) (longest * random.nextDouble());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.25, 0.25", "0.5, 0.5", "0.99, 0.99", "1, 1", "3, 1"})
  void idle_time_after_it_was_warm_makes_it_as_cold_as_guavas(double periods, double coldness) {
    RateLimit limit = RateLimit.of(100, Duration.ofSeconds(10), 3);
    Ours ours = new Ours(limit, NO_BURST);
    GuavaLimiter guava = new GuavaLimiter(100, limit.warmUp(), 3);
    long guavas = 0;
    long now = 0;
    // Warm, and everything that was stored is used.
    for (; now < 60_000_000; now += 1_000) {
      ours.claim(now, 1);
      guavas += guava.tryAcquire(now) ? 1 : 0;
    }
    assertThat(ours.state.coldness()).isZero();
    now += (long) (periods * 10_000_000);
    for (long end = now + 20_000_000; now < end; now += 1_000) {
      ours.claim(now, 1);
      guavas += guava.tryAcquire(now) ? 1 : 0;
      assertThat(ours.passed).isCloseTo(guavas, within(1L));
    }
    long whole = (long) (periods * 10_000_000);
    LimiterState warm = new LimiterState(0, START, null);
    LimiterState after = new WarmUpLimiter(limit).take(warm, at(whole), 0).state();
    assertThat(after.coldness()).isCloseTo(coldness, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"1, 68", "2, 139", "5, 381", "10, 1000", "15, 2000"})
  void from_cold_full_demand_gets_what_the_closed_form_says(int seconds, long permits) {
    RateLimit limit = RateLimit.of(200, Duration.ofSeconds(10), 3);
    Ours ours = new Ours(limit, NO_BURST);

    for (long now = 0; now <= seconds * 1_000_000L; ) {
      now = Math.max(now + 1, ours.claim(now, 1));
    }

    assertThat(ours.passed).isCloseTo(permits, within(2L));
    assertThat(ours.limiter.permitsFromCold(Duration.ofSeconds(seconds)))
        .isCloseTo((double) permits, within(1.5));
  }

  @ParameterizedTest
  @CsvSource({"200, 10, 3", "50, 5, 3", "1000, 30, 5", "200, 20, 2"})
  void it_lies_within_the_one_second_quantisation_of_sentinels(int rate, int warmUp, int factor) {
    Ours ours = new Ours(RateLimit.of(rate, Duration.ofSeconds(warmUp), factor), NO_BURST);
    TimeUtil.set(1_000_000);
    WarmUpController sentinel = new WarmUpController(rate, warmUp, factor);
    StatisticNode node = new StatisticNode();
    long passed = 0;
    long next = 0;
    for (int second = 1; second <= 2 * warmUp; second++) {
      long atItsBeginning = ours.passed;
      for (int millis = 0; millis < 1_000; millis++) {
        long now = (second - 1) * 1_000L + millis;
        while (next < 1_000 * (now + 1)) {
          next = Math.max(next + 1, ours.claim(next, 1));
        }
        TimeUtil.set(1_000_000 + now);
        while (sentinel.canPass(node, 1)) {
          node.addPassRequest(1);
          passed++;
        }
      }
      assertThat(passed).as("second " + second).isBetween(atItsBeginning - 1, ours.passed + 1);
    }
  }

  @Test
  void at_one_permit_a_second_and_a_period_of_a_second_it_warms_up_where_sentinels_never_passes() {
    Ours ours = new Ours(RateLimit.of(1, Duration.ofSeconds(1), 3), NO_BURST);
    TimeUtil.set(1_000_000);
    WarmUpController sentinel = new WarmUpController(1, 1, 3);
    StatisticNode node = new StatisticNode();
    long sentinels = 0;
    for (int millis = 0; millis < 60_000; millis++) {
      ours.claim(millis * 1_000L, 1);
      TimeUtil.set(1_000_000 + millis);
      if (sentinel.canPass(node, 1)) {
        node.addPassRequest(1);
        sentinels++;
      }
    }
    assertThat(ours.passed).isBetween(58L, 61L);
    assertThat(sentinels).isZero();
  }

  @Test
  void late_claims_lose_nothing_and_the_curve_is_exceeded_by_one_burst_window_at_most() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RateLimit limit = random(random);
      Duration burst = Duration.ofMillis(WarmUpLimiter.BURST_MILLIS);
      Ours ours = new Ours(limit, burst);
      for (int i = 0, now = 0; i < 400; i++) {
        long next = ours.claim(now, Integer.MAX_VALUE);
        double until =
            ours.limiter.permitsFromCold(Duration.of(now, ChronoUnit.MICROS).plus(burst));
        double due = ours.limiter.permitsFromCold(Duration.of(now, ChronoUnit.MICROS));
        assertThat((double) ours.passed)
            .as("seed %s, %s, at %s µs", seed, limit, now)
            .isBetween(due - 1, 1.001 * until + 2);
        now = (int) Math.max(now, next + random.nextLong(3 * burst.toNanos() / 2_000));
        if (now > 1_500_000_000) {
          break;
        }
      }
    }
  }

  /** The next claim of a claimer, in microseconds from the start. */
  private record Next(long micros, ContentionBackoff backoff) {}

  /** How many claims a second so many claimers send in a minute from cold, at 200 permits/s. */
  private static int claimsPerSecond(int claimers, UnaryOperator<ContentionBackoff> backingOff) {
    RateLimit limit = RateLimit.of(200, Duration.ofSeconds(10), 3);
    Ours ours = new Ours(limit, Duration.ofMillis(WarmUpLimiter.BURST_MILLIS));
    SplittableRandom random = new SplittableRandom(claimers);
    PriorityQueue<Next> queue = new PriorityQueue<>(Comparator.comparingLong(Next::micros));
    for (int claimer = 0; claimer < claimers; claimer++) {
      queue.add(new Next(random.nextLong(25_000), ContentionBackoff.NONE));
    }
    int claims = 0;
    for (Next next = queue.remove(); next.micros < 60_000_000; next = queue.remove()) {
      long now = next.micros;
      WarmUpLimiter.Grant grant = ours.take(now, 500);
      long backoff = grant.contended() ? next.backoff.length(random).toNanos() / 1_000 : 0;
      long again = Math.max(now, START.until(grant.askAgainAt(), ChronoUnit.MICROS)) + backoff;
      queue.add(
          new Next(
              again + random.nextLong(10_000),
              grant.contended() ? backingOff.apply(next.backoff) : ContentionBackoff.NONE));
      claims++;
      double due = ours.limiter.permitsFromCold(Duration.of(now, ChronoUnit.MICROS));
      assertThat((double) ours.passed).as("at %s µs", now).isBetween(0.98 * due - 1, due + 12);
    }
    return claims / 60;
  }

  /** A claimer alone sends 40 a second, each for the permits of half a window. */
  @ParameterizedTest
  @CsvSource({"1, 40", "2, 50", "8, 70", "50, 80", "200, 150"})
  void many_claimers_keep_the_curve_and_claim_little_more_often_than_one(
      int claimers, int claimsPerSecond) {
    assertThat(claimsPerSecond(claimers, backoff -> backoff.next(claimers)))
        .isLessThanOrEqualTo(claimsPerSecond);
    if (claimers > 2) {
      assertThat(claimsPerSecond(claimers, backoff -> backoff))
          .as("without a backoff")
          .isGreaterThan(10 * claimers);
    }
  }

  @Test
  void a_claimer_alone_does_not_back_off() {
    assertThat(ContentionBackoff.NONE.next(1)).isEqualTo(ContentionBackoff.NONE);
  }

  @Test
  void a_claim_that_is_later_still_finds_idle_time() {
    WarmUpLimiter limiter = new WarmUpLimiter(RateLimit.of(1000, Duration.ofSeconds(10), 3));
    LimiterState warm = new LimiterState(0, START, null);
    long burst = 1_000L * WarmUpLimiter.BURST_MILLIS;

    assertThat(limiter.take(warm, at(burst), 1000).permits()).isEqualTo(101);
    assertThat(limiter.take(warm, at(burst), 0).state()).isEqualTo(warm);
    assertThat(limiter.take(warm, at(burst + 1), 1000).permits()).isEqualTo(51);
    assertThat(limiter.take(warm, at(burst + 1), 0).state().coldness()).isPositive();
  }

  @Test
  void wanting_less_leaves_the_rest_to_the_next_claim() {
    WarmUpLimiter limiter = new WarmUpLimiter(RateLimit.of(1000, Duration.ZERO, 3));
    WarmUpLimiter.Grant all = limiter.take(LimiterState.cold(START), START, 1000);
    assertThat(all.permits()).isEqualTo(51);

    WarmUpLimiter.Grant some = limiter.take(LimiterState.cold(START), START, 20);
    WarmUpLimiter.Grant rest = limiter.take(some.state(), START, 1000);
    assertThat(some.permits() + rest.permits()).isEqualTo(51);
    assertThat(rest.state()).isEqualTo(all.state());
    assertThat(limiter.take(all.state(), START, 1).permits()).isZero();
    assertThat(limiter.take(all.state(), all.askAgainAt(), 1000).permits()).isBetween(25, 27);
  }

  @Test
  void a_clock_that_is_set_back_neither_keeps_it_shut_nor_opens_it() {
    RateLimit limit = RateLimit.of(10, Duration.ofSeconds(10), 3);
    Ours ours = new Ours(limit, Duration.ofMillis(WarmUpLimiter.BURST_MILLIS));
    for (long now = 0; now < 5_000_000; ) {
      now = Math.max(now + 1_000, ours.claim(now, 100));
    }
    long before = ours.passed;
    double coldness = ours.state.coldness();

    long hourAgo = -3_600_000_000L;
    ours.claim(hourAgo, 100);
    assertThat(ours.passed).isEqualTo(before);
    assertThat(ours.state.coldness()).isEqualTo(coldness);
    long cap = 300_000 + 1_000 * WarmUpLimiter.BURST_MILLIS;
    ours.claim(hourAgo + cap, 100);
    assertThat(ours.passed).isBetween(before + 1, before + 2);
  }

  @Test
  void a_changed_limit_keeps_the_share_of_stored_permits_as_guavas_does() {
    Ours ours = new Ours(RateLimit.of(100, Duration.ofSeconds(10), 3), NO_BURST);
    GuavaLimiter guava = new GuavaLimiter(100, Duration.ofSeconds(10), 3);
    long guavas = 0;
    for (long now = 0; now < 30_000_000; now += 500) {
      if (now == 4_000_000) {
        ours.limiter = new WarmUpLimiter(RateLimit.of(300, Duration.ofSeconds(10), 3), NO_BURST);
        guava.setRate(300);
      }
      ours.claim(now, 1);
      guavas += guava.tryAcquire(now) ? 1 : 0;
      assertThat(ours.passed).isCloseTo(guavas, within(1L));
    }
    assertThat(ours.state.coldness()).isZero();
  }

  @Test
  void a_view_tells_phase_rates_and_when_it_will_be_warm() {
    WarmUpLimiter limiter = new WarmUpLimiter(RateLimit.of(200, Duration.ofSeconds(10), 4));

    WarmUpLimiter.View cold = limiter.view(LimiterState.cold(START), START);
    assertThat(cold.phase()).isEqualTo(WarmUpLimiter.Phase.COLD);
    assertThat(cold.currentRate()).isCloseTo(50, within(1e-9));
    assertThat(cold.coldRate()).isCloseTo(50, within(1e-9));
    assertThat(cold.stableRate()).isCloseTo(200, within(1e-9));
    assertThat(cold.warmAt()).isBetween(at(9_999_990), at(10_000_010));

    WarmUpLimiter.View warming = limiter.view(new LimiterState(0.8, START, null), START);
    assertThat(warming.phase()).isEqualTo(WarmUpLimiter.Phase.WARMING);
    assertThat(warming.currentRate()).isBetween(50.0, 200.0);
    assertThat(warming.warmAt()).isBetween(START, at(10_000_000));

    WarmUpLimiter.View warm = limiter.view(new LimiterState(0, START, null), START);
    assertThat(warm.phase()).isEqualTo(WarmUpLimiter.Phase.WARM);
    assertThat(warm.currentRate()).isCloseTo(200, within(1e-9));
    assertThat(warm.warmAt()).isEqualTo(START);
  }

  @Test
  void the_curve_rises_from_the_cold_rate_to_the_stable_one_within_the_period() {
    WarmUpLimiter limiter = new WarmUpLimiter(RateLimit.of(200, Duration.ofSeconds(10), 4));

    var curve = limiter.curve(20);

    assertThat(curve).hasSize(21).isSortedAccordingTo((a, b) -> Double.compare(a.rate(), b.rate()));
    assertThat(curve.getFirst().rate()).isCloseTo(50, within(1e-9));
    assertThat(curve.get(10).after()).isEqualTo(Duration.ofSeconds(10));
    assertThat(curve.get(10).rate()).isCloseTo(200, within(0.1));
    assertThat(curve.getLast().permits()).isCloseTo(curve.get(10).permits() + 2000, within(1.0));
  }
}
