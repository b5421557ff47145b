package dev.ebb.db.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final DatabaseClock clock = new DatabaseClock();

  private boolean stepped(long databaseMillis, long askedMillis, long answeredMillis) {
    return clock.stepped(
        START.plusMillis(databaseMillis),
        TimeUnit.MILLISECONDS.toNanos(askedMillis),
        TimeUnit.MILLISECONDS.toNanos(answeredMillis));
  }

  @Test
  void the_first_look_and_a_clock_that_goes_on_are_no_step() {
    assertThat(stepped(0, 0, 1)).isFalse();
    assertThat(stepped(500, 500, 501)).isFalse();
    assertThat(stepped(60_000, 60_000, 60_001)).isFalse();
  }

  @Test
  void a_step_either_way_is_noticed_once() {
    assertThat(stepped(0, 0, 1)).isFalse();
    assertThat(stepped(3_600_500, 500, 501)).isTrue();
    assertThat(stepped(3_601_000, 1_000, 1_001)).isFalse();
    assertThat(stepped(1_500, 1_500, 1_501)).isTrue();
    assertThat(stepped(2_000, 2_000, 2_001)).isFalse();
  }

  @Test
  void an_answer_that_took_long_is_no_step() {
    assertThat(stepped(0, 0, 1)).isFalse();
    assertThat(stepped(8_000, 500, 8_001)).isFalse();
    assertThat(stepped(8_600, 8_500, 17_000)).isFalse();
    assertThat(stepped(17_500, 17_500, 17_501)).isFalse();
  }

  @Test
  void it_stepped_if_it_lies_behind_what_it_has_reached() {
    assertThat(stepped(0, 0, 1)).isFalse();
    clock.reached(START.plusMillis(900));
    assertThat(stepped(0, 0, 1)).isFalse();
    clock.reached(START.plusSeconds(3600));
    assertThat(stepped(0, 0, 1)).isTrue();
    assertThat(stepped(0, 0, 1)).as("it is told once").isFalse();
  }
}
