package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.ScheduleFire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunStripTest {
  private static final Instant NINE = Instant.parse("2027-01-04T09:00:00Z");

  private static ScheduleFire fire(int hour, String result, @Nullable String state, long missed) {
    Instant at = NINE.plusSeconds(3600L * hour);
    return new ScheduleFire(at, at, result, false, missed, "id", null, state, "n", null);
  }

  @Test
  void the_newest_run_is_at_the_right_and_each_says_what_became_of_it() {
    String strip =
        RunStrip.of(
            List.of(
                fire(2, "submitted", "dead_letter", 0),
                fire(1, "misfired", null, 4),
                fire(0, "submitted", "completed", 0)));

    assertThat(strip)
        .containsSubsequence(
            "2027-01-04 09:00:00 UTC: completed",
            "<rect x=\"1\" y=\"7\"",
            "2027-01-04 10:00:00 UTC: missed, and 4 missed before it",
            "<rect x=\"11\" y=\"18\"",
            "class=\"missed\"",
            "2027-01-04 11:00:00 UTC: dead letter",
            "<rect x=\"21\" y=\"7\"",
            "class=\"cross\"")
        .contains("aria-label=\"Last 3 runs: 1 dead letter, 1 missed, 1 completed\"");
  }

  @Test
  void no_two_ends_differ_by_their_colour_alone() {
    String completed = RunStrip.of(List.of(fire(0, "submitted", "completed", 0)));
    String dead = RunStrip.of(List.of(fire(0, "submitted", "dead_letter", 0)));
    String running = RunStrip.of(List.of(fire(0, "submitted", "running", 0)));
    String skipped = RunStrip.of(List.of(fire(0, "overlapped", null, 0)));

    assertThat(List.of(shape(completed), shape(dead), shape(running), shape(skipped)))
        .doesNotHaveDuplicates();
  }

  private static String shape(String strip) {
    return strip.replaceAll("<title>[^<]*</title>|aria-label=\"[^\"]*\"|class=\"run \\w+\"", "");
  }

  @Test
  void a_schedule_that_never_fired_says_so() {
    assertThat(RunStrip.words(List.of())).isEqualTo("No fires yet");
    assertThat(RunStrip.words(List.of(fire(0, "duplicate", null, 0))))
        .isEqualTo("Last run: 1 duplicate");
  }
}
