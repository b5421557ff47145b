package dev.ebb.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShortageTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Shortage after(@Nullable Shortage before, Instant now) {
    return Shortage.after(before, new LimiterState(0, now.plusSeconds(2), null), now);
  }

  @Test
  void a_shortage_lasts_until_the_permits_are_paid_for_and_a_claimer_may_be_late() {
    assertThat(after(null, NOON)).isEqualTo(new Shortage(NOON, NOON.plusMillis(2_050)));
  }

  @Test
  void a_shortage_goes_on_while_claims_come_in_time() {
    Shortage first = after(new Shortage(NOON, NOON.plusSeconds(1)), NOON.plusSeconds(1));

    assertThat(first.since()).isEqualTo(NOON);
    assertThat(first.until()).isEqualTo(NOON.plusMillis(3_050));
  }

  @Test
  void a_shortage_that_ended_does_not_go_on_and_neither_does_one_of_a_clock_that_was_set_back() {
    Shortage ended = new Shortage(NOON, NOON.plusSeconds(1));

    assertThat(after(ended, NOON.plusSeconds(2)).since()).isEqualTo(NOON.plusSeconds(2));
    assertThat(after(ended, NOON.minusSeconds(2)).since()).isEqualTo(NOON.minusSeconds(2));
  }

  @Test
  void what_lies_ahead_of_a_shortage_has_not_passed() {
    Shortage shortage = new Shortage(NOON, NOON.plusSeconds(2));

    assertThat(shortage.until(NOON.plusSeconds(1)).until()).isEqualTo(NOON.plusSeconds(1));
    assertThat(shortage.until(NOON.plusSeconds(3))).isEqualTo(shortage);
  }
}
