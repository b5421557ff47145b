package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.DestinationHealth.LastDay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatStripTest {
  private static final Instant FROM = Instant.parse("2026-01-01T12:15:00Z");

  /** The last quarters that ended anything, as pairs of failed and ended. */
  private static LastDay day(long... ends) {
    List<Long> failed = new ArrayList<>(Collections.nCopies(96, 0L));
    List<Long> attempts = new ArrayList<>(failed);
    int first = 96 - ends.length / 2;
    for (int i = 0; i < ends.length; i += 2) {
      failed.set(first + i / 2, ends[i]);
      attempts.set(first + i / 2, ends[i + 1]);
    }
    return new LastDay(FROM, attempts, failed);
  }

  @Test
  void each_quarter_of_an_hour_is_as_red_as_its_share_of_failures() {
    String strip = new HeatStrip(day(1, 100, 9, 10)).svg();

    assertThat(strip.split("<rect", -1)).hasSize(97);
    assertThat(strip)
        .contains("class=\"heat-0\" x=\"940\"", "11:45–12:00 UTC: 1 of 100 attempts failed")
        .contains("class=\"heat-4\" x=\"950\"", "12:00–12:15 UTC: 9 of 10 attempts failed")
        .contains("class=\"heat-none\" x=\"0\"");
  }

  @Test
  void in_a_row_of_many_the_cells_that_look_alike_are_one_path() {
    String strip = new HeatStrip(day(1, 100, 0, 7, 9, 10)).small();

    assertThat(strip.split("<path", -1)).hasSize(4);
    assertThat(strip)
        .contains("<path class=\"heat-0\" d=\"M930 0h9v24h-9zM940 0h9v24h-9z\"/>")
        .contains("<path class=\"heat-4\" d=\"M950 0h9v24h-9z\"/>")
        .contains("10 of 117 attempts failed");
  }

  @Test
  void its_words_name_the_worst_quarter() {
    assertThat(new HeatStrip(day(2, 12, 9, 10)).summary())
        .isEqualTo(
            "In the last 24 hours, 11 of 22 attempts failed, most at 12:00–12:15 UTC: 9 of 10"
                + " attempts failed.");
    assertThat(new HeatStrip(day(0, 1)).summary())
        .isEqualTo("In the last 24 hours, 0 of 1 attempt failed.");
    assertThat(new HeatStrip(day()).summary()).isEqualTo("Nothing ended in the last 24 hours.");
  }
}
