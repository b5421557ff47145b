package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.ComingPermits;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpCurve;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.ui.svg.CatchUp.End;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpCurveTest {
  private static final RateLimit LIMIT = RateLimit.of(200, Duration.ofMinutes(1), 4);

  /** A limiter as the API shows it, whose rate is cut to a share, and that granted some permits. */
  static Limiter limiter(RateLimit limit, double share, double granted) {
    List<Limiter.Point> curve =
        new WarmUpLimiter(limit)
            .curve(40).stream()
                .map(one ->
                    new Limiter.Point(one.after().toNanos() / 1e9, one.rate(), one.permits()))
                .toList();
    double rate = limit.permitsPerSecond() * share;
    double warmUp = limit.warmUp().toNanos() / 1e9;
    double max = warmUp * rate * (0.5 + 2 / (1 + limit.coldFactor()));
    double cold = rate / limit.coldFactor();
    return new Limiter(
        "warming",
        rate,
        rate,
        limit.permitsPerSecond(),
        cold,
        max - granted,
        max,
        Instant.EPOCH,
        null,
        null,
        curve);
  }

  @ParameterizedTest
  @CsvSource({"0", "0.7", "1.5", "13.37", "29.9", "59.99", "60", "61", "119", "500"})
  void what_lies_between_two_points_of_the_api_is_what_its_limiter_grants(double seconds) {
    WarmUpCurve curve = WarmUpCurve.of(limiter(LIMIT, 1, 0));

    assertThat(curve.permits(seconds))
        .isCloseTo(
            new WarmUpLimiter(LIMIT).permitsFromCold(Duration.ofMillis((long) (seconds * 1e3))),
            within(0.01));
  }

  @Test
  void the_points_of_the_api_are_the_curve_s() {
    Limiter limiter = limiter(LIMIT, 1, 0);
    WarmUpCurve curve = WarmUpCurve.of(limiter);

    for (Limiter.Point point : limiter.curve()) {
      assertThat(curve.rate(point.seconds())).isCloseTo(point.rate(), within(1e-9));
      assertThat(curve.permits(point.seconds())).isCloseTo(point.permits(), within(1e-9));
    }
    assertThat(curve.rate(0)).isCloseTo(limiter.coldRate(), within(1e-9));
    assertThat(curve.fullRate()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 31", "1, 59", "1, 75", "0.5, 0", "0.5, 31", "0.5, 75"})
  void the_limiter_stands_where_its_permits_were_granted(double share, double seconds) {
    double granted = WarmUpCurve.of(limiter(LIMIT, share, 0)).permits(seconds);

    assertThat(WarmUpCurve.of(limiter(LIMIT, share, granted)).position())
        .isCloseTo(seconds, within(1e-6));
  }

  @Test
  void a_cut_scales_the_rate_and_leaves_the_time_to_get_warm() {
    WarmUpCurve whole = WarmUpCurve.of(limiter(LIMIT, 1, 0));
    WarmUpCurve half = WarmUpCurve.of(limiter(LIMIT, 0.5, 0));

    assertThat(half.rate(20)).isCloseTo(whole.rate(20) / 2, within(1e-9));
    assertThat(half.permits(90)).isCloseTo(whole.permits(90) / 2, within(1e-6));
    assertThat(half.fullRate()).isEqualTo(100);
  }

  @Test
  void a_limit_without_a_warm_up_is_a_level() {
    Limiter limiter = limiter(RateLimit.of(5, Duration.ZERO, 3), 1, 0);
    WarmUpCurve curve = WarmUpCurve.of(limiter);
    ComingPermits coming = ComingPermits.of(limiter);

    assertThat(curve.rate(0)).isEqualTo(5);
    assertThat(curve.permits(100)).isCloseTo(500, within(1e-9));
    assertThat(CatchUp.of(coming, 100, 4).seconds()).isCloseTo(100, within(1e-6));
  }

  /** Steps a hundredth of a second at a time: what is due, less what the curve lets start. */
  private static double simulated(WarmUpCurve curve, double waiting, double demand) {
    double step = 0.01;
    double left = waiting;
    double at = 0;
    do {
      left += demand * step - step * curve.rate(curve.position() + at + step / 2);
      at += step;
    } while (left > 0 || (at < 1 && demand > curve.rate(curve.position())));
    return at;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1000, 0",
    "1, 0, 1000, 100",
    "1, 0, 0, 150",
    "1, 1500, 2000, 120",
    "1, 0, 20000, 190",
    "0.4, 0, 300, 50",
    "1, 9000, 5, 10",
    "1, 0, 1, 10"
  })
  void it_is_caught_up_when_a_simulation_of_the_curve_is(
      double share, double granted, double waiting, double demand) {
    Limiter limiter = limiter(LIMIT, share, granted);

    CatchUp catchUp = CatchUp.of(ComingPermits.of(limiter), waiting, demand);

    assertThat(catchUp.end()).isEqualTo(End.CAUGHT_UP);
    double simulated = simulated(WarmUpCurve.of(limiter), waiting, demand);
    assertThat(catchUp.seconds()).isCloseTo(simulated, within(0.05 + simulated / 1000));
    assertThat(catchUp.most()).isGreaterThanOrEqualTo(waiting);
  }

  @Test
  void a_demand_above_the_rate_makes_a_backlog_until_the_ramp_is_above_it() {
    ComingPermits coming = ComingPermits.of(limiter(LIMIT, 1, 0));

    CatchUp catchUp = CatchUp.of(coming, 0, 100);

    assertThat(catchUp.most()).isBetween(500.0, 3000.0);
    assertThat(catchUp.sentence()).startsWith("Caught up in about 1 min");
    assertThat(CatchUp.of(coming, 0, 49).end()).isEqualTo(End.KEEPS_UP);
    assertThat(CatchUp.of(coming, 0, 200).end()).isEqualTo(End.NEVER);
    assertThat(CatchUp.of(coming, 1, 250).sentence()).startsWith("Will not catch up");
  }

  @Test
  void the_chart_says_in_words_and_numbers_what_it_draws() {
    Figure figure = WarmUpChart.of(limiter(LIMIT, 1, 0), 3, 100, false);

    assertThat(figure.caption()).contains("100/s became due", "3 jobs wait", "Caught up in about");
    assertThat(figure.rows()).hasSize(41).contains(List.of("0", "50", "0"));
    assertThat(figure.svg()).contains("demand 100/s", "class=\"area\"").doesNotContain("NaN");
    assertThat(WarmUpChart.of(limiter(LIMIT, 1, 0), 3, 100, true).caption())
        .contains("Nothing starts until the queue is resumed.");
  }
}
