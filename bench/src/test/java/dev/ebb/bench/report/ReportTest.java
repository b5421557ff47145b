package dev.ebb.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

@Isolated("changes the default locale")
class ReportTest {
  private static final Map<String, String> TITLES = titles();

  private static Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("drain", "No-op jobs.");
    titles.put("ebb", "Ebb");
    titles.put("floor", "bare <JDBC>");
    return titles;
  }

  private static Measurement drain(String entrant, int round, double rate, double cpu) {
    return new Measurement(
        "drain", entrant, round, Map.of(Figure.RATE, rate, Figure.CPU, cpu), null);
  }

  private static final Results RESULTS =
      Results.none()
          .with(
              Map.of("machine", "two cores"),
              List.of(
                  drain("ebb", 1, 50_000, 30),
                  drain("ebb", 2, 40_000, 31),
                  drain("ebb", 3, 60_000, 32),
                  drain("floor", 1, 100_000, 20),
                  new Measurement(
                      "drain", "floor", 2, Map.of(Figure.RATE, 1.0), "job 7 ran 2 times")));

  @Test
  void a_cell_is_the_median_with_the_smallest_and_the_largest() {
    String page = Report.markdown(RESULTS, TITLES);

    assertThat(page)
        .contains(
            "## drain\n\nNo-op jobs. Rounds: 2.\n\n| | jobs/s | CPU µs/job |\n| --- | ---: | ---: |\n")
        .contains("| Ebb | 50,000 (40,000–60,000) | 31.0 (30.0–32.0) |\n")
        .contains("| machine | two cores |");
  }

  @Test
  void a_failed_round_is_shown_and_never_averaged() {
    assertThat(Report.markdown(RESULTS, TITLES))
        .contains("**failed in 1 of 2 rounds: job 7 ran 2 times** | 100,000 | 20.0 |");
  }

  @Test
  void a_goal_says_what_was_reached_or_that_nobody_measured_or_that_a_round_failed() {
    Results whole =
        Results.none()
            .with(Map.of(), List.of(drain("ebb", 1, 50_000, 30), drain("floor", 1, 100_000, 30)));

    assertThat(Report.markdown(RESULTS, TITLES))
        .contains("| drain, against bare JDBC | at least 1 | 0.50 | **failed** |");
    assertThat(Report.markdown(whole, TITLES))
        .contains("| drain, against bare JDBC | at least 1 | 0.50 | **no** |")
        .contains("| CPU per job in the drain, against bare JDBC | at most 1.2 | 1.00 | yes |")
        .contains("| idle node, transactions/s | at most 4 | – | not measured |");
  }

  @Test
  void a_ratio_is_taken_within_each_round() {
    Results rounds =
        Results.none()
            .with(
                Map.of(),
                List.of(
                    drain("ebb", 1, 100, 1),
                    drain("floor", 1, 50, 1),
                    drain("ebb", 2, 10, 1),
                    drain("floor", 2, 10, 1),
                    drain("ebb", 3, 90, 1),
                    drain("floor", 3, 60, 1)));

    assertThat(Report.markdown(rounds, TITLES))
        .contains("| drain, against bare JDBC | at least 1 | 1.50 (1.00–2.00) | yes |");
  }

  @Test
  void the_page_is_the_same_in_every_country() {
    Locale before = Locale.getDefault();
    String english = Report.markdown(RESULTS, TITLES) + Report.svg(RESULTS, TITLES);
    try {
      Locale.setDefault(Locale.GERMANY);

      assertThat(Report.markdown(RESULTS, TITLES) + Report.svg(RESULTS, TITLES)).isEqualTo(english);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void the_plot_is_well_formed_and_has_a_bar_per_system_and_panel() throws Exception {
    Document plot = parse(Report.svg(RESULTS, TITLES));

    assertThat(plot.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(plot.getElementsByTagName("rect").getLength()).isEqualTo(4);
  }

  @Test
  void without_results_there_are_still_a_page_and_a_plot() throws Exception {
    assertThat(Report.markdown(Results.none(), TITLES)).contains("not measured");
    assertThat(parse(Report.svg(Results.none(), TITLES)).getElementsByTagName("rect").getLength())
        .isZero();
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
