package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeatStripTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:07:00Z");

  private static Point at(String instant, long failed, long completed) {
    return new Point(
        Instant.parse(instant), Map.of("failed", failed, "completed", completed), null, null);
  }

  private static HeatStrip strip(Point... points) {
    return new HeatStrip(
        new QueueStats(
            "q", null, "1m", NOON.minusSeconds(86_400), NOON, NOON, true, null, List.of(points)));
  }

  @Test
  void each_quarter_of_an_hour_is_as_red_as_its_share_of_failures() {
    String strip =
        strip(
                at("2026-01-01T12:10:00Z", 50, 50),
                at("2026-01-02T11:45:00Z", 0, 10),
                at("2026-01-02T11:59:00Z", 1, 89),
                at("2026-01-02T12:06:00Z", 9, 1))
            .svg();

    assertThat(strip.split("<rect", -1)).hasSize(97);
    assertThat(strip)
        .contains("class=\"heat-0\" x=\"940\"", "11:45–12:00 UTC: 1 of 100 attempts failed")
        .contains("class=\"heat-4\" x=\"950\"", "12:00–12:15 UTC: 9 of 10 attempts failed")
        .contains("class=\"heat-none\" x=\"0\"");
  }

  @Test
  void its_words_name_the_worst_quarter() {
    assertThat(strip(at("2026-01-02T11:45:00Z", 2, 10), at("2026-01-02T12:06:00Z", 9, 1)).summary())
        .isEqualTo(
            "In the last 24 hours, 11 of 22 attempts failed, most at 12:00–12:15 UTC: 9 of 10"
                + " attempts failed.");
    assertThat(strip(at("2026-01-02T11:45:00Z", 0, 1)).summary())
        .isEqualTo("In the last 24 hours, 0 of 1 attempt failed.");
    assertThat(strip().summary()).isEqualTo("Nothing ended in the last 24 hours.");
  }
}
