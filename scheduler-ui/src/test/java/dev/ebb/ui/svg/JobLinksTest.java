package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.Forecast.Overdue;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import dev.ebb.contract.QueueWaiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Marks of charts lead to the jobs that they count, and otherwise nowhere. */
class JobLinksTest {
  private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final JobLinks LINKS = links("q");

  private static JobLinks links(String... queues) {
    return new JobLinks(search -> "/jobs?" + search, List.of(queues), NOON);
  }

  private static QueueStats stats(Map<String, Long> first, Map<String, Long> second) {
    List<Point> points =
        List.of(
            new Point(NOON.minus(MINUTE), first, null, null), new Point(NOON, second, null, null));
    Instant end = NOON.plus(MINUTE);
    return new QueueStats("q", null, "1m", NOON.minus(MINUTE), end, end, true, null, points);
  }

  @Test
  void a_step_leads_to_the_jobs_of_its_time() {
    assertThat(LINKS.submitted(NOON, MINUTE))
        .isEqualTo("/jobs?queue:q created>=2027-03-01T12:00:00Z created<2027-03-01T12:01:00Z");
    assertThat(links("a", "b").completed(NOON, MINUTE))
        .startsWith("/jobs?queue:a,b state:completed ended>=2027-03-01T12:00:00Z ended<");
    assertThat(links().died(NOON, MINUTE)).startsWith("/jobs?state:dead_letter ended>=");
  }

  @Test
  void what_may_be_gone_and_what_no_search_can_hold_leads_nowhere() {
    assertThat(LINKS.submitted(NOON.minusSeconds(1), MINUTE)).isEmpty();
    assertThat(LINKS.completed(NOON.minusSeconds(1), MINUTE)).isEmpty();
    String longest = "q".repeat(63);
    assertThat(links(Collections.nCopies(20, longest).toArray(String[]::new)).due("")).isEmpty();
  }

  @Test
  void counts_lead_to_jobs_where_there_are_any() {
    Map<String, Long> counts = Map.of("submitted", 3L, "failed", 2L, "dead", 1L);

    Figure figure = TrendChart.throughput(stats(counts, counts), LINKS);

    for (int column = 0; column < figure.heads().size(); column++) {
      assertThat(figure.link(0, column)).isNull();
    }
    assertThat(figure.link(1, 1)).contains("created>=");
    assertThat(figure.link(1, 2)).isNull();
    assertThat(figure.link(1, 3)).isNull();
    assertThat(figure.link(1, 5)).contains("state:dead_letter");
  }

  /** They came twice, or ended twice: no list by time has them all. */
  @Test
  void a_sum_that_holds_jobs_that_came_back_leads_nowhere() {
    Map<String, Long> plain = Map.of("submitted", 3L, "completed", 2L);
    Map<String, Long> redriven = Map.of("submitted", 3L, "redriven", 1L, "dead", 1L);
    JobLinks always = new JobLinks(search -> search, List.of("q"), Instant.MIN);

    Figure figure = FlowChart.of(stats(plain, redriven), 0, always);

    assertThat(figure.link(0, 1)).contains("created>=");
    assertThat(figure.link(0, 2)).contains("state:completed,cancelled");
    assertThat(figure.link(1, 1)).isNull();
    assertThat(figure.link(1, 2)).isNull();
  }

  private static Forecast forecast(List<String> paused) {
    Overdue due = new Overdue(9, true, Map.of("1", 4L, "5", 3L, "10+", 2L));
    return new Forecast(NOON, true, null, null, null, paused, due, List.of());
  }

  @Test
  void what_is_due_already_leads_to_the_jobs_of_that_attempt() {
    Figure figure = ForecastChart.of(forecast(List.of()), links());

    assertThat(figure.link(0, 1)).isEqualTo("/jobs?state:due");
    assertThat(figure.link(0, 2)).isEqualTo("/jobs?state:due attempts:0");
    assertThat(figure.link(0, 3)).isNull();
    assertThat(figure.link(0, 5)).isEqualTo("/jobs?state:due attempts>=3 attempts<=8");
    assertThat(figure.link(0, 6)).isEqualTo("/jobs?state:due attempts>=9");
    assertThat(ForecastChart.of(forecast(List.of("shut")), links()).link(0, 1))
        .as("also in paused queues")
        .isEqualTo("/jobs?state:due");
  }

  @Test
  void a_bar_leads_where_its_row_does() {
    QueueWaiting waiting =
        new QueueWaiting("q", NOON, false, 1_207, Map.of("0", 1_200L, "3", 6L, "10+", 1L));

    Figure figure = AttemptChart.of(waiting, LINKS);

    assertThat(figure.rows())
        .containsExactly(
            List.of("none yet", "~1,200"), List.of("3", "~6"), List.of("10 or more", "~1"));
    assertThat(figure.link(0, 1)).isEqualTo("/jobs?queue:q state:available attempts:0");
    assertThat(figure.link(2, 1)).isEqualTo("/jobs?queue:q state:available attempts>=10");
    assertThat(figure.svg())
        .contains("<a href=\"/jobs?queue:q state:available attempts:3\"", "role=\"group\"")
        .contains("attempts so far: 3; ~6 jobs");
    assertThat(figure.caption())
        .isEqualTo(
            "~1,200 jobs wait for the first attempt; ~7 had at least one. The numbers are"
                + " estimates from a sample.");
    assertThat(AttemptChart.of(new QueueWaiting("q", NOON, true, 0, Map.of()), LINKS).caption())
        .isEqualTo("No jobs are waiting.");
  }
}
