package dev.ebb.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The part of the time that so many tabs take after a while, each page as long. */
  private static double share(int tabs, Duration took) {
    Pace pace = new Pace();
    long begun = System.nanoTime();
    long warm = begun + MINUTE.toNanos();
    PriorityQueue<Long> next = new PriorityQueue<>();
    for (int i = 0; i < tabs; i++) {
      next.add(begun + i);
    }
    int pages = 0;
    while (next.peek() < warm + MINUTE.toNanos()) {
      long now = next.poll();
      pages += now < warm ? 0 : 1;
      next.add(now + pace.pause(now, took).toNanos());
    }
    return (double) pages * took.toNanos() / MINUTE.toNanos();
  }

  @Test
  void a_page_alone_is_drawn_every_two_seconds() {
    assertThat(share(1, Duration.ofMillis(10))).isBetween(0.0049, 0.0051);
    assertThat(share(10, Duration.ofMillis(10))).isBetween(0.045, 0.051);
  }

  @Test
  void many_pages_together_take_a_twentieth_of_the_time() {
    assertThat(share(100, Duration.ofMillis(5))).isBetween(0.045, 0.055);
    assertThat(share(60, Duration.ofMillis(20))).isBetween(0.045, 0.055);
  }

  @Test
  void no_page_waits_for_more_than_half_a_minute_and_none_after_a_quiet_time() {
    Pace pace = new Pace();
    long now = System.nanoTime();
    for (int i = 0; i < 1000; i++) {
      assertThat(pace.pause(now, MINUTE)).isEqualTo(Pace.LONGEST);
    }

    assertThat(pace.pause(now + Pace.LONGEST.toNanos(), Duration.ofMillis(1)))
        .isEqualTo(Pace.SHORTEST);
  }
}
