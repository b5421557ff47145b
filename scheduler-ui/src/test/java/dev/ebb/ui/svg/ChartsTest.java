package dev.ebb.ui.svg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.Forecast.Minute;
import dev.ebb.contract.Forecast.Overdue;
import dev.ebb.contract.Lengths;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import dev.ebb.contract.QueueWaiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChartsTest {
  private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");

  private static final JobLinks LINKS =
      new JobLinks(search -> "/jobs?" + search, List.of("q"), NOON);

  private static Forecast forecast(@Nullable Double limit, Map<String, Long> third) {
    List<Minute> minutes =
        IntStream.range(0, 60)
            .mapToObj(i -> {
              Map<String, Long> jobs = i == 3 ? third : Map.of();
              long sum = jobs.values().stream().mapToLong(one -> one).sum();
              return new Minute(NOON.plusSeconds(60L * i), sum, jobs, limit);
            })
            .toList();
    return new Forecast(
        NOON, true, "q", limit, false, null, new Overdue(2, true, Map.of("1", 2L)), minutes);
  }

  @Test
  void a_forecast_is_stacked_by_attempt_below_the_limit() {
    Figure figure = ForecastChart.of(forecast(60.0, Map.of("1", 5L, "3", 70L, "10+", 2L)), LINKS);

    assertThat(figure.svg())
        .contains("class=\"try1\"", "class=\"try3\"", "class=\"try5\"", "limit 60 a minute")
        .contains("12:03 UTC, 3rd: 70 jobs");
    assertThat(figure.caption())
        .isEqualTo(
            "2 due already and waiting; 77 become due within the hour, most of them at 12:03 UTC:"
                + " 77. The rate limit lets through 60 a minute; 1 minute is above it.");
    assertThat(figure.rows())
        .containsExactly(
            List.of("due already", "2", "2", "0", "0", "0", "0"),
            List.of("12:03", "77", "5", "0", "70", "0", "2"));
    assertThat(figure.link(0, 1)).isEqualTo("/jobs?queue:q state:due");
    assertThat(figure.link(1, 4))
        .isEqualTo(
            "/jobs?queue:q state:available due>=2027-03-01T12:03:00Z"
                + " due<2027-03-01T12:04:00Z attempts:2");
    assertThat(figure.link(1, 3)).isNull();
  }

  @Test
  void a_limit_far_above_the_bars_is_told_and_not_drawn() {
    Figure figure = ForecastChart.of(forecast(60_000.0, Map.of("1", 5L)), LINKS);

    assertThat(figure.svg()).doesNotContain("limit");
    assertThat(figure.caption())
        .endsWith("lets through 60,000 a minute: enough for these, if no others come.");
  }

  @Test
  void text_is_escaped_wherever_it_stands() {
    String hostile = "<script>alert('x')</script>&\"";
    Plot plot = new Plot(0, 1, 0, 1);
    plot.axes(List.of(new PlotSheet.Tick(0, hostile)), List.of(new PlotSheet.Tick(0, hostile)));
    plot.legend("good", hostile);
    plot.level("info", 1, hostile);
    plot.note(new PlotSheet.At(0, 0), hostile);
    plot.bar("good", new PlotSheet.At(0, 0), new PlotSheet.At(1, 1), hostile);

    assertThat(plot.svg(hostile))
        .doesNotContain("<script", "alert('", "&\"")
        .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;");
  }

  @Test
  void a_plot_is_drawn_for_a_phone_too_where_no_tick_covers_another() {
    Plot plot = new Plot(0, 100, 0, 1);
    plot.axes(
        List.of(
            new PlotSheet.Tick(0, "midnight"),
            new PlotSheet.Tick(14, "soon"),
            new PlotSheet.Tick(99, "late")),
        List.of(new PlotSheet.Tick(0, "0")));

    String svg = plot.svg("times");
    String phone = svg.substring(svg.indexOf("for-phone"));

    assertThat(svg).startsWith("<svg class=\"chart for-wide\"").contains(">soon<");
    assertThat(phone).contains(">midnight<", ">late<").doesNotContain(">soon<");
  }

  private static Point step(int minute, long submitted, long completed, long failed) {
    Lengths lengths =
        new Lengths(
            Duration.ofMillis(30),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofSeconds(1),
            Duration.ofSeconds(4));
    return new Point(
        NOON.plusSeconds(60L * minute),
        Map.of("submitted", submitted, "completed", completed, "failed", failed),
        lengths,
        null);
  }

  private static final QueueStats STATS =
      new QueueStats(
          "q",
          null,
          "1m",
          NOON,
          NOON.plusSeconds(600),
          NOON.plusSeconds(570),
          true,
          null,
          List.of(step(2, 10, 4, 4), step(3, 0, 1, 0), step(9, 1, 1, 0)));

  @Test
  void the_distance_between_what_came_and_what_ended_is_the_backlog() {
    Figure figure = FlowChart.of(STATS, 15, LINKS);

    assertThat(figure.rows()).hasSize(10);
    assertThat(figure.rows().get(0)).containsExactly("12:00", "0", "0", "10");
    assertThat(figure.rows().get(2)).containsExactly("12:02", "10", "4", "16");
    assertThat(figure.rows().get(9)).containsExactly("12:09", "1", "1", "15");
    assertThat(figure.caption())
        .isEqualTo("11 jobs submitted and 6 ended within 10 min. The backlog has grown to 15.");
  }

  @Test
  void the_step_that_is_still_forming_is_dashed() {
    assertThat(STATS.steps()).hasSize(10);
    assertThat(STATS.isForming(STATS.steps().getLast())).isTrue();
    assertThat(STATS.isForming(STATS.steps().get(8))).isFalse();
    assertThat(TrendChart.throughput(STATS, LINKS).svg()).contains("line good thick forming");
  }

  @Test
  void who_points_at_a_step_reads_its_numbers() {
    assertThat(TrendChart.throughput(STATS, LINKS).svg())
        .containsOnlyOnce(
            "<title>From 12:02 UTC: submitted 10, completed 4, failed attempts 4, throttled 0,"
                + " died 0</title>");
    assertThat(TrendChart.waits(STATS).svg())
        .contains("<title>From 12:02 UTC: mean 30 ms, ~p50 20 ms, ~p90 200 ms, ~p99 4 s</title>");
  }

  @Test
  void trends_say_in_words_and_numbers_what_they_draw() {
    assertThat(TrendChart.throughput(STATS, LINKS).caption())
        .startsWith("6 jobs completed and 4 attempts failed, 40 % of the attempts.");
    assertThat(TrendChart.throughput(STATS, LINKS).rows().get(2))
        .containsExactly("12:02", "10", "4", "4", "0", "0");
    assertThat(TrendChart.waits(STATS).caption()).contains("half had a wait of up to ~20 ms");
    assertThat(TrendChart.waits(STATS).rows()).hasSize(3);
    assertThat(TrendChart.waits(STATS).svg()).contains("100 ms").doesNotContain("NaN");
    assertThat(TrendChart.runs(STATS).caption())
        .isEqualTo("No attempts that ended were counted in this period.");
  }

  @Test
  void an_estimate_of_none_is_left_out_of_the_words_of_a_chart() {
    Forecast exact = forecast(null, Map.of());
    Forecast sampled =
        new Forecast(
            NOON, false, "q", null, null, null, new Overdue(0, false, Map.of()), exact.minutes());
    QueueWaiting retrying = new QueueWaiting("q", NOON, false, 6, Map.of("3", 6L));
    QueueWaiting none = new QueueWaiting("q", NOON, false, 0, Map.of());

    assertThat(ForecastChart.of(sampled, LINKS).caption()).isEmpty();
    assertThat(ForecastChart.of(sampled, LINKS).rows().getFirst())
        .containsExactly("due already", "–", "–", "–", "–", "–", "–");
    assertThat(AttemptChart.of(retrying, LINKS).caption())
        .isEqualTo("~6 had at least one attempt. The numbers are estimates from a sample.");
    assertThat(AttemptChart.of(none, LINKS).caption())
        .isEqualTo("A sample of the jobs has none that waits.");
  }

  @Test
  void a_chart_without_anything_to_draw_says_so() {
    QueueStats none =
        new QueueStats(
            "q", null, "1h", NOON, NOON.plusSeconds(86_400), NOON, true, null, List.of());

    assertThat(FlowChart.of(none, 0, LINKS).caption())
        .isEqualTo("No submitted or ended jobs were counted in this period.");
    assertThat(TrendChart.throughput(none, LINKS).caption())
        .isEqualTo("No attempts were counted in this period.");
    assertThat(TrendChart.waits(none).svg()).doesNotContain("NaN", "Infinity");
    assertThat(ForecastChart.of(forecast(null, Map.of()), LINKS).caption())
        .isEqualTo("2 due already and waiting; 0 become due within the hour.");
  }
}
