package dev.ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** What two samples say of a share that rises. */
class ProportionTest {
  private static double rise(long failed, long attempts, long failedBefore, long attemptsBefore) {
    return new Proportion(failed, attempts)
        .riseAtLeast(new Proportion(failedBefore, attemptsBefore))
        .orElseThrow();
  }

  /** Table II of Newcombe's paper, method 10. */
  @Test
  void the_lower_end_is_that_of_the_published_examples() {
    assertThat(rise(56, 70, 48, 80)).isCloseTo(0.0524, within(0.00005));
    assertThat(rise(9, 10, 3, 10)).isCloseTo(0.1705, within(0.00005));
    assertThat(rise(10, 10, 0, 10)).isCloseTo(0.6075, within(0.00005));
  }

  @Test
  void a_few_attempts_prove_no_rise() {
    assertThat(rise(1, 1, 0, 1)).isNegative();
    assertThat(rise(1, 1, 0, 50)).isLessThan(rise(40, 100, 0, 500));
  }

  @Test
  void a_share_that_stays_high_has_not_risen() {
    assertThat(rise(100, 100, 500, 500)).isNegative();
  }

  @Test
  void nothing_is_said_where_nothing_was_tried() {
    Proportion none = new Proportion(0, 0);

    assertThat(none.share()).isEmpty();
    assertThat(new Proportion(5, 5).riseAtLeast(none)).isEmpty();
    assertThat(none.riseAtLeast(new Proportion(5, 5))).isEmpty();
  }
}
