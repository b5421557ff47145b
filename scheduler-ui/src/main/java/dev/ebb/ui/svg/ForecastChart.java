package dev.ebb.ui.svg;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.Forecast.Minute;
import dev.ebb.core.health.Plain;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Draws which jobs become due in the next hour, by the attempt that they will start. */
public final class ForecastChart {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final double ROUNDING = 1e-6;

  private ForecastChart() {}

  /** Attempts that are drawn alike. */
  private enum Layer {
    FIRST("try1", "1st attempt", "1", "attempts:0"),
    SECOND("try2", "2nd", "2", "attempts:1"),
    THIRD("try3", "3rd", "3", "attempts:2"),
    LATER("try4", "4th to 9th", "[4-9]", "attempts>=3 attempts<=8"),
    LAST("try5", "10th or later", "10\\+", "attempts>=9");

    private final String css;
    private final String title;
    private final String keys;
    private final String tokens;

    Layer(String css, String title, String keys, String tokens) {
      this.css = css;
      this.title = title;
      this.keys = keys;
      this.tokens = tokens;
    }

    long of(Map<String, Long> byAttempt) {
      return byAttempt.entrySet().stream()
          .filter(one -> one.getKey().matches(keys))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  /** The minutes stacked by attempt, with the rate limit as a line where there is one. */
  public static Figure of(Forecast forecast, JobLinks links) {
    List<List<String>> rows = rows(forecast);
    return new Figure(draw(forecast), caption(forecast), heads(), rows)
        .leading(leads(forecast, rows.size(), links));
  }

  /**
   * Minutes lead nowhere where queues are paused: a search of all queues would find their jobs,
   * too.
   */
  private static List<List<String>> leads(Forecast forecast, int rows, JobLinks links) {
    List<List<String>> leads = new ArrayList<>();
    leads.add(lead(forecast.overdue().jobs(), forecast.overdue().byAttempt(), links::due));
    if (!forecast.leftOut().isEmpty()) {
      leads.addAll(Collections.nCopies(rows - 1, Collections.nCopies(heads().size(), "")));
      return leads;
    }
    shown(forecast)
        .map(
            one -> lead(one.jobs(), one.byAttempt(), tokens -> links.due(one.at(), MINUTE, tokens)))
        .forEach(leads::add);
    return leads;
  }

  /** The addresses of a row, by the tokens that tell how often jobs were tried. */
  private static List<String> lead(
      long jobs, Map<String, Long> byAttempt, UnaryOperator<String> address) {
    List<String> lead = new ArrayList<>(List.of("", JobLinks.ifAny(jobs, address.apply(""))));
    for (Layer layer : Layer.values()) {
      lead.add(JobLinks.ifAny(layer.of(byAttempt), address.apply(layer.tokens)));
    }
    return lead;
  }

  private static Stream<Minute> shown(Forecast forecast) {
    return forecast.minutes().stream().filter(one -> one.jobs() > 0);
  }

  private static String draw(Forecast forecast) {
    double most = most(forecast);
    double limit = shownLimit(forecast, most);
    var ticks = Ticks.counts(Math.max(Math.max(1, most), 1.05 * limit));
    Plot plot = new Plot(0, forecast.minutes().size(), 0, ticks.getLast().at());
    plot.axes(minutes(forecast), ticks);
    for (Layer layer : Layer.values()) {
      plot.legend(layer.css, layer.title);
    }
    for (int i = 0; i < forecast.minutes().size(); i++) {
      stack(plot, i, forecast.minutes().get(i));
    }
    if (limit > 0) {
      limit(plot, forecast);
    }
    return plot.svg("Jobs that become due in each minute of the next hour");
  }

  /** The highest limit, unless it lies so high that the bars would be flat: then zero. */
  private static double shownLimit(Forecast forecast, double most) {
    double limit = forecast.minutes().stream().mapToDouble(ForecastChart::permits).max().orElse(0);
    return most > 0 && limit > 3 * most ? 0 : limit;
  }

  private static double permits(Minute minute) {
    return Objects.requireNonNullElse(minute.permits(), 0.0);
  }

  private static void limit(Plot plot, Forecast forecast) {
    double last = permits(forecast.minutes().getLast());
    if (isLevel(forecast)) {
      plot.level("limit", last, "limit " + Plain.rate(last) + " a minute");
      return;
    }
    List<At> steps = new ArrayList<>();
    for (int i = 0; i < forecast.minutes().size(); i++) {
      double permits = permits(forecast.minutes().get(i));
      steps.add(new At(i, permits));
      steps.add(new At(i + 1.0, permits));
    }
    plot.line("limit", steps);
    plot.legend("limit", "rate limit");
  }

  /** Whether each minute lets through as many as the others. */
  private static boolean isLevel(Forecast forecast) {
    return inTheFirst(forecast).equals(inTheLast(forecast));
  }

  private static String inTheFirst(Forecast forecast) {
    return Plain.rate(permits(forecast.minutes().getFirst()));
  }

  private static String inTheLast(Forecast forecast) {
    return Plain.rate(permits(forecast.minutes().getLast()));
  }

  private static void stack(Plot plot, int place, Minute minute) {
    double below = 0;
    for (Layer layer : Layer.values()) {
      long jobs = layer.of(minute.byAttempt());
      if (jobs > 0) {
        String title =
            clock(minute.at()) + " UTC, " + layer.title + ": " + Words.counted(jobs, "job");
        plot.bar(layer.css, new At(place, below), new At(place + 1.0, below + jobs), title);
        below += jobs;
      }
    }
  }

  private static List<PlotSheet.Tick> minutes(Forecast forecast) {
    List<PlotSheet.Tick> ticks = new ArrayList<>();
    for (int i = 0; i < forecast.minutes().size(); i += 10) {
      ticks.add(new PlotSheet.Tick(i, clock(forecast.minutes().get(i).at())));
    }
    return ticks;
  }

  private static String clock(Instant at) {
    return Ticks.clock(at, HOUR);
  }

  private static double most(Forecast forecast) {
    return forecast.minutes().stream().mapToDouble(Minute::jobs).max().orElse(0);
  }

  private static String caption(Forecast forecast) {
    long total = forecast.minutes().stream().mapToLong(Minute::jobs).sum();
    List<String> clauses = new ArrayList<>();
    Forecast.Overdue due = forecast.overdue();
    if (Words.isKnown(due.jobs(), due.exact())) {
      clauses.add(Words.number(due.jobs(), due.exact()) + " due already and waiting");
    }
    if (Words.isKnown(total, forecast.exact())) {
      clauses.add(
          Words.number(total, forecast.exact())
              + (total == 1 ? " becomes due within the hour" : " become due within the hour")
              + peak(forecast));
    }
    String words = clauses.isEmpty() ? "" : String.join("; ", clauses) + ".";
    return (words + limit(forecast) + left(forecast)).strip();
  }

  private static String peak(Forecast forecast) {
    return forecast.minutes().stream()
        .max(Comparator.comparingLong(Minute::jobs))
        .filter(peak -> peak.jobs() > 0)
        .map(peak ->
            ", most of them at "
                + clock(peak.at())
                + " UTC: "
                + Words.number(peak.jobs(), forecast.exact()))
        .orElse("");
  }

  private static String limit(Forecast forecast) {
    if (Boolean.TRUE.equals(forecast.paused())) {
      return " " + WarmUpChart.PAUSED;
    }
    if (forecast.minutes().isEmpty() || forecast.minutes().getFirst().permits() == null) {
      return "";
    }
    long above =
        forecast.minutes().stream().filter(one -> one.jobs() > permits(one) + ROUNDING).count();
    return " The rate limit lets through "
        + (isLevel(forecast)
            ? inTheLast(forecast) + " a minute"
            : inTheFirst(forecast)
                + " in the first minute, rising to "
                + inTheLast(forecast)
                + " a minute")
        + (above == 0
            ? ""
            : "; " + Words.counted(above, "minute") + (above == 1 ? " is" : " are") + " above it")
        + enough(forecast, above > 0);
  }

  /** Whether what waits at the end of a minute comes through in later ones. */
  private static String enough(Forecast forecast, boolean above) {
    double waiting = forecast.overdue().jobs();
    for (Minute minute : forecast.minutes()) {
      waiting = Math.max(0, waiting + minute.jobs() - permits(minute));
    }
    if (waiting >= 1) {
      return (above ? ", which is" : ":") + " too few for all of them within the hour.";
    }
    return above ? "." : ": enough for these, if no others come.";
  }

  private static String left(Forecast forecast) {
    int paused = forecast.leftOut().size();
    return paused == 0 ? "" : " What becomes due in paused queues (" + paused + ") is left out.";
  }

  private static List<String> heads() {
    List<String> heads = new ArrayList<>(List.of("Minute, UTC", "Jobs"));
    Arrays.stream(Layer.values()).map(layer -> layer.title).forEach(heads::add);
    return heads;
  }

  private static List<List<String>> rows(Forecast forecast) {
    List<List<String>> rows = new ArrayList<>();
    Forecast.Overdue due = forecast.overdue();
    rows.add(row("due already", due.jobs(), due.byAttempt(), due.exact()));
    shown(forecast)
        .map(one -> row(clock(one.at()), one.jobs(), one.byAttempt(), forecast.exact()))
        .forEach(rows::add);
    return rows;
  }

  private static List<String> row(
      String name, long jobs, Map<String, Long> byAttempt, boolean exact) {
    List<String> row = new ArrayList<>(List.of(name, Words.number(jobs, exact)));
    for (Layer layer : Layer.values()) {
      row.add(Words.number(layer.of(byAttempt), exact));
    }
    return row;
  }
}
