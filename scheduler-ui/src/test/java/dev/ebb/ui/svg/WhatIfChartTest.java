package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.ui.svg.WhatIfChart.Load;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhatIfChartTest {
  /** A cold one, as the API shows it. */
  private static Limiter cold(double rate, Duration warmUp) {
    RateLimit limit = RateLimit.of(rate, warmUp, 4);
    WarmUpLimiter limiter = new WarmUpLimiter(limit);
    List<Limiter.Point> curve =
        limiter.curve(40).stream()
            .map(one -> new Limiter.Point(one.after().toMillis() / 1e3, one.rate(), one.permits()))
            .toList();
    double most = limiter.permitsFromCold(warmUp) + 0.5 * warmUp.toMillis() / 1e3 * rate;
    return new Limiter(
        "cold", rate / 4, rate, rate, rate / 4, most, most, Instant.EPOCH, null, null, curve);
  }

  @Test
  void both_curves_say_when_the_backlog_would_be_caught_up() {
    Limiter real = cold(10, Duration.ofMinutes(10));

    Figure figure = WhatIfChart.of(cold(200, Duration.ZERO), real, new Load(1_000, 8, false, null));

    assertThat(figure.caption())
        .startsWith("Lately 8/s became due, and 1,000 jobs wait. Tried: Caught up in about 6 s")
        // In the 600 s of its warm-up it starts 2,400 of 5,800, and 2 a second more than come
        // after.
        .contains("Current: Caught up in about 38 min 20 s");
    assertThat(figure.svg()).contains("tried", "current", "demand 8/s").doesNotContain("NaN");
    assertThat(figure.rows()).hasSize(41).startsWith(List.of("0", "200", "2.5"));
    assertThat(figure.rows().getLast()).containsExactly("1200", "200", "10");
  }

  @Test
  void a_queue_without_a_limit_and_one_that_is_paused_are_told_as_such() {
    Figure figure = WhatIfChart.of(cold(5, Duration.ofMinutes(1)), null, new Load(1, 7, true, 3));

    assertThat(figure.caption())
        .isEqualTo(
            "Lately 7/s became due, and 1 job waits. If the queue were not paused: Tried: Will"
                + " not catch up: jobs arrive as fast as the full rate. Current: No rate limit:"
                + " jobs start as soon as they are due and a worker is free, up to 3 at a time.");
    assertThat(figure.rows().getFirst()).containsExactly("0", "1.25", "no limit");
  }
}
