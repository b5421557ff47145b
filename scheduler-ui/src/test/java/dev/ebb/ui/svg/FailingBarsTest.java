package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.WorseningSubject.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailingBarsTest {
  private static final Instant NOW = Instant.parse("2027-01-31T17:39:21Z");
  private static final Instant MINUTE = Instant.parse("2027-01-31T17:39:00Z");

  private static Point point(int minutesAgo, long attempts, long failed) {
    return new Point(MINUTE.minus(Duration.ofMinutes(minutesAgo)), attempts, failed);
  }

  @Test
  void a_minute_without_attempts_is_left_out_and_one_without_failures_has_a_tick_alone() {
    String svg = FailingBars.of(List.of(point(59, 4, 0), point(0, 4, 4)), NOW);

    assertThat(svg)
        .contains("<path class=\"ticks\" d=\"M0.0 33.0h2.0M157.3 33.0h2.0\"/>")
        .contains("<path class=\"bad\" d=\"M157.3 33.0V1.0h2.0V33.0z\"/>");
  }

  @Test
  void it_says_in_words_when_most_failed() {
    assertThat(FailingBars.of(List.of(point(8, 10, 1), point(1, 10, 7), point(0, 2, 1)), NOW))
        .contains(
            "aria-label=\"Failing share by minute in the last hour, highest at 17:38 UTC: 70 %\"");
  }

  @Test
  void what_is_older_than_an_hour_is_not_drawn() {
    assertThat(FailingBars.of(List.of(point(60, 1, 1)), NOW)).contains("class=\"bad\" d=\"\"");
  }
}
