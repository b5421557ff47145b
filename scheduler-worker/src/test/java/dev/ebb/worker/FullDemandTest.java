package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.db.Grants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** What the check of claims lets through, and what it finds. */
class FullDemandTest {
  /**
   * When the queue is warm; then nobody claims for two seconds, which is a fifth of the way back.
   */
  private static final double WARM = 10;

  private static final double AGAIN = 12;
  private static final double END = 16;
  private static final double COLDNESS_AGAIN = 0.7;

  /** Claims of ten a second, by how much is claimed until each. */
  private static List<Grants.Granted> claims(DoubleUnaryOperator until) {
    List<Grants.Granted> claims = new ArrayList<>();
    int sum = 0;
    for (int tenth = 0; tenth <= 10 * END; tenth++) {
      double second = tenth / 10.0;
      if (second <= WARM || second >= AGAIN) {
        int whole = (int) until.applyAsDouble(second);
        claims.add(new Grants.Granted(Instant.EPOCH.plusMillis(100L * tenth), whole - sum));
        sum = whole;
      }
    }
    return claims;
  }

  private static DoubleUnaryOperator again(double coldness) {
    double before = 1 + Ramp.dueFromCold(WARM);
    return second ->
        second <= WARM ? 1 + Ramp.dueFromCold(second) : before + Ramp.due(coldness, second - AGAIN);
  }

  @Test
  void claims_that_follow_the_curve_beside_a_gap_pass() {
    FullDemand.assertClaimed(claims(again(COLDNESS_AGAIN)), 2);
  }

  private static void assertFound(DoubleUnaryOperator until) {
    assertThatThrownBy(() -> FullDemand.assertClaimed(claims(until), 2))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void control_a_queue_that_stays_cold_is_found() {
    double cold = Ramp.LIMIT.permitsPerSecond() / Ramp.LIMIT.coldFactor();

    assertFound(second -> 1 + cold * second);
  }

  @Test
  void control_a_queue_that_is_warm_at_once_is_found() {
    assertFound(second -> 1 + Ramp.LIMIT.permitsPerSecond() * second);
  }

  @Test
  void control_a_ramp_that_begins_anew_behind_a_gap_is_found() {
    assertFound(again(1));
  }

  @Test
  void control_a_queue_that_does_not_cool_in_a_gap_is_found() {
    assertFound(again(0));
  }
}
