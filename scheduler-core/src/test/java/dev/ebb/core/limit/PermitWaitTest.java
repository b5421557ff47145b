package dev.ebb.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PermitWaitTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Duration wait(RateLimit limit, LimiterState state, int permits) {
    return Duration.between(NOW, PermitWait.until(limit, state, NOW, permits));
  }

  @Test
  void a_permit_that_is_there_costs_no_time() {
    RateLimit limit = RateLimit.of(10, Duration.ZERO, 1);

    assertThat(wait(limit, LimiterState.cold(NOW), 1)).isZero();
  }

  @Test
  void a_fixed_rate_gives_its_permits_one_after_another() {
    RateLimit limit = RateLimit.of(10, Duration.ZERO, 1);

    assertThat((double) wait(limit, LimiterState.cold(NOW), 101).toMillis())
        .isCloseTo(10_000, within(110.0));
  }

  @Test
  void a_cold_limiter_gives_them_along_its_curve() {
    RateLimit limit = RateLimit.of(20, Duration.ofSeconds(10), 4);
    Duration warm = Duration.ofSeconds(15);
    int permits = (int) new WarmUpLimiter(limit).permitsFromCold(warm);

    assertThat((double) wait(limit, LimiterState.cold(NOW), permits).toMillis())
        .isCloseTo(15_000, within(200.0));
  }

  @Test
  void a_thousand_permits_of_a_slow_limit_are_told_at_once() {
    RateLimit limit = RateLimit.of(0.01, Duration.ZERO, 1);

    assertThat(wait(limit, LimiterState.cold(NOW), 1_001))
        .isBetween(Duration.ofSeconds(99_990), Duration.ofSeconds(100_010));
  }
}
