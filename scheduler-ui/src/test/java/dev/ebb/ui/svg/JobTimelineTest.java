package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.Failure;
import dev.ebb.contract.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobTimelineTest {
  private static final Instant FIRST = Instant.parse("2027-01-02T03:04:05Z");
  private static final Instant NOW = FIRST.plusSeconds(100);
  private static final Pattern TEXT =
      Pattern.compile("<text class=\"(\\w+)\" x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)");
  private static final double LETTER = 6.6;

  private static Attempt attempt(int number, long second, String outcome, String reason) {
    Instant at = FIRST.plusSeconds(second);
    Failure failure = new Failure(reason, "no");
    return new Attempt(
        number, "node", null, null, at, at.plusMillis(230), null, outcome, failure, null);
  }

  private static AttemptForecast schedule(int next, int bands, Duration step) {
    List<AttemptForecast.Band> coming = new ArrayList<>();
    for (int i = 1; i <= bands; i++) {
      Instant at = NOW.plus(step.multipliedBy(i));
      coming.add(
          new AttemptForecast.Band(
              next + i, 0.5, at, at.plus(step), at.plus(step.multipliedBy(3))));
    }
    Instant end = NOW.plus(step.multipliedBy(bands + 1L));
    Policy policy = new Policy("full", null, null, null, step, 2, step, null, null, 16, null, null);
    return new AttemptForecast(
        policy,
        new AttemptForecast.Next(next, NOW.plusSeconds(30)),
        coming,
        new AttemptForecast.Range(end, end.plus(step), end.plus(step.multipliedBy(2))));
  }

  private record Label(double from, double to, double y, String text) {
    private static Label of(MatchResult found) {
      String text = found.group(4).replaceAll("&[a-z#0-9]+;", "x");
      double x = Double.parseDouble(found.group(2));
      double width = text.length() * LETTER;
      double from =
          switch (found.group(1)) {
            case "middle" -> x - width / 2;
            case "end" -> x - width;
            default -> x;
          };
      return new Label(from, from + width, Double.parseDouble(found.group(3)), text);
    }

    private boolean meets(Label other) {
      return from < other.to && other.from < to && Math.abs(y - other.y) < 12;
    }
  }

  private static void assertApart(String svg, int width) {
    List<Label> labels = TEXT.matcher(svg).results().map(Label::of).toList();
    for (Label label : labels) {
      assertThat(label.from()).as(label.text()).isGreaterThanOrEqualTo(-1);
      assertThat(label.to()).as(label.text()).isLessThanOrEqualTo(width + 8);
      assertThat(labels).filteredOn(label::meets).as("itself alone").containsExactly(label);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.001S", "PT1S", "PT40S", "PT7M", "PT5H", "P3D", "P400D", "P3650D"})
  void no_words_meet_however_long_the_times_are(String step) {
    for (int attempts = 1; attempts < 20; attempts += 6) {
      List<Attempt> past = new ArrayList<>();
      for (int i = 0; i < attempts; i++) {
        past.add(attempt(i + 1, i * i / 4, "failed", "a_reason_that_is_rather_long".repeat(9)));
      }
      AttemptForecast schedule = schedule(attempts + 1, 14, Duration.parse(step));
      JobStory story = JobStory.of(past, schedule, FIRST, NOW);

      assertApart(JobTimeline.draw(story, true), 340);
      assertApart(JobTimeline.draw(story, false), 980);
    }
  }

  @Test
  void it_has_a_mark_for_what_was_a_diamond_for_what_is_drawn_and_a_band_for_the_rest() {
    List<Attempt> past =
        List.of(attempt(1, 0, "failed", "http_500"), attempt(2, 9, "throttled", "http_429"));
    String svg =
        JobTimeline.draw(
            JobStory.of(past, schedule(3, 4, Duration.ofMinutes(1)), FIRST, NOW), true);

    assertThat(svg.split("class=\"band\"", -1)).hasSize(5);
    assertThat(svg.split("class=\"next\"", -1)).hasSize(2);
    assertThat(svg).contains("class=\"bad\"", "class=\"warn\"", "class=\"last\"", "class=\"now\"");
  }

  @Test
  void a_job_without_attempts_counts_from_the_one_that_is_drawn() {
    AttemptForecast schedule = schedule(1, 3, Duration.ofMinutes(1));
    JobStory story = JobStory.of(List.of(), schedule, FIRST, NOW);

    assertThat(story.origin()).isEqualTo(NOW.plusSeconds(30));
    assertThat(story.showsNow()).isFalse();
    assertThat(JobTimeline.draw(story, true)).doesNotContain("NaN", "Infinity");
  }

  @Test
  void a_thousand_attempts_are_a_few_rows() {
    List<Attempt> past = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      past.add(attempt(i + 1, i, "failed", "no"));
    }
    JobStory story = JobStory.of(past, schedule(1_001, 900, Duration.ofSeconds(1)), FIRST, NOW);

    assertThat(story.rows()).hasSizeLessThan(45);
    assertThat(JobTimeline.draw(story, true)).contains(">982 more<", ">882 more<");
  }

  @Test
  void what_others_wrote_is_text() {
    List<Attempt> past = List.of(attempt(1, 0, "<b>\"'&", "</text><script>alert(1)</script>"));
    String svg = JobTimeline.draw(JobStory.of(past, null, FIRST, NOW), false);

    assertThat(svg).doesNotContain("<script", "<b>").contains("&lt;b&gt;&quot;&#39;&amp;");
  }

  @Test
  void even_a_job_with_one_instant_has_a_drawing() {
    Attempt only = new Attempt(1, "node", null, null, FIRST, FIRST, null, "completed", null, null);
    String svg = JobTimeline.draw(JobStory.of(List.of(only), null, FIRST, FIRST), true);

    assertThat(svg).contains("<circle").doesNotContain("NaN", "Infinity");
  }

  @Test
  void times_grow_by_their_logarithm_to_the_right() {
    LogTime axis = new LogTime(10, 210, Duration.ofSeconds(3), Duration.ofHours(1));

    assertThat(axis.x(Duration.ZERO)).isEqualTo(10);
    assertThat(axis.x(Duration.ofSeconds(-5))).isEqualTo(10);
    assertThat(axis.x(Duration.ofHours(1))).isEqualTo(210);
    assertThat(axis.x(Duration.ofDays(1))).isEqualTo(210);
    double minute = axis.x(Duration.ofMinutes(1));
    double tenMinutes = axis.x(Duration.ofMinutes(10));
    assertThat(tenMinutes - minute).isBetween(40.0, 60.0);
  }
}
