package dev.ebb.db.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacingTest {
  private static final long INTERVAL = Pacing.INTERVAL.toNanos();

  /** Far enough from zero that a comparison of absolute times would show. */
  private long now = Long.MAX_VALUE - 10 * INTERVAL;

  private final Pacing pacing = new Pacing(now);

  @Test
  void what_comes_more_rarely_than_the_interval_never_waits() {
    for (int i = 0; i < 10 * Pacing.AT_ONCE; i++) {
      assertThat(pacing.untilNext(now)).isZero();
      now += INTERVAL;
    }
  }

  @Test
  void some_go_at_once_and_what_comes_after_them_waits_for_the_interval() {
    for (int i = 1; i < Pacing.AT_ONCE; i++) {
      assertThat(pacing.untilNext(now)).isZero();
    }
    for (int i = 0; i < 3; i++) {
      Duration wait = pacing.untilNext(now);
      assertThat(wait).isEqualTo(Pacing.INTERVAL);
      now += wait.toNanos();
    }
  }

  @Test
  void after_a_pause_as_many_go_at_once_as_at_first_and_no_more() {
    for (int i = 0; i < Pacing.AT_ONCE; i++) {
      var _ = pacing.untilNext(now);
    }
    now += 100 * Pacing.AT_ONCE * INTERVAL;
    for (int i = 1; i < Pacing.AT_ONCE; i++) {
      assertThat(pacing.untilNext(now)).isZero();
    }
    assertThat(pacing.untilNext(now)).isEqualTo(Pacing.INTERVAL);
  }
}
