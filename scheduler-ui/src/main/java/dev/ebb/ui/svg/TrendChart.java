package dev.ebb.ui.svg;

import dev.ebb.contract.Lengths;
import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import dev.ebb.core.Durations;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Draws what a queue did over time; the newest step, which is still forming, is dashed. */
public final class TrendChart {
  private static final String[] FAILED = {"failed", "throttled"};
  private static final List<String> COUNTED =
      List.of("From, UTC", "Submitted", "Completed", "Failed attempts", "Throttled", "Died");
  private static final Curve HALF = new Curve("good thick", "p50 (thick)", "half", Lengths::p50);
  private static final List<Curve> THREE =
      List.of(
          HALF,
          new Curve("info", "p90", "90 %", Lengths::p90),
          new Curve("warn thin", "p99 (thin)", "99 %", Lengths::p99));
  private static final List<Curve> TWO =
      List.of(HALF, new Curve("warn", "p95", "95 %", Lengths::p95));

  private final QueueStats stats;
  private final List<Point> steps;
  private final Duration window;

  /** A line of lengths that a share of the attempts did not exceed. */
  private record Curve(String css, String legend, String share, Function<Lengths, Duration> of) {}

  private TrendChart(QueueStats stats) {
    this.stats = stats;
    this.steps = stats.steps();
    this.window = Duration.between(stats.from(), stats.to());
  }

  /** Completions and failures a minute. */
  public static Figure throughput(QueueStats stats, JobLinks links) {
    TrendChart chart = new TrendChart(stats);
    return chart
        .throughput()
        .leading(chart.steps.stream().map(step -> chart.leads(step, links)).toList());
  }

  private List<String> leads(Point step, JobLinks links) {
    Duration length = stats.length();
    return List.of(
        "",
        JobLinks.ifAny(step.sum("submitted"), links.submitted(step.at(), length)),
        JobLinks.ifAny(step.sum("completed"), links.completed(step.at(), length)),
        "",
        "",
        JobLinks.ifAny(step.sum("dead"), links.died(step.at(), length)));
  }

  /** For how long attempts had been due when they started. */
  public static Figure waits(QueueStats stats) {
    return new TrendChart(stats).lengths("wait", "started", Point::waited, THREE);
  }

  /** How long attempts took. */
  public static Figure runs(QueueStats stats) {
    return new TrendChart(stats).lengths("duration", "ended", Point::ran, THREE);
  }

  /** The same in short, with what its lines lack. */
  public static Figure latency(QueueStats stats) {
    Figure figure = new TrendChart(stats).lengths("duration", "ended", Point::ran, TWO);
    return figure.adding(
        (figure.rows().isEmpty() ? "" : OutcomeChart.GAP) + OutcomeChart.missing(stats));
  }

  private Figure throughput() {
    double most = steps.stream().mapToDouble(this::most).max().orElse(0);
    var ticks = Ticks.numbers(Math.max(1, most));
    Plot plot = plot(0, ticks.getLast().at());
    plot.axes(Ticks.times(stats.from(), stats.to()), ticks);
    plot.legend("info", "submitted");
    plot.legend("good", "completed");
    plot.legend("bad", "failed attempts");
    line(plot, "info thin", rates("submitted"));
    line(plot, "good thick", rates("completed"));
    line(plot, "bad", rates(FAILED));
    long completed = total("completed");
    long failed = total(FAILED);
    String caption =
        completed + failed == 0
            ? "No attempts were counted in this period."
            : Words.counted(completed, "job")
                + " completed and "
                + Words.counted(failed, "attempt")
                + " failed, "
                + Words.percent((double) failed / (completed + failed))
                + " of the attempts. Numbers are per minute; dashes lead to the current,"
                + " incomplete step. In the table, the number of dead letters links to those"
                + " that still are.";
    List<List<String>> rows = steps.stream().map(this::counted).toList();
    plot.probes(times(steps), stats.length(), COUNTED, rows);
    return new Figure(
        plot.svg("Jobs submitted and completed and attempts failed, a minute"),
        caption,
        COUNTED,
        rows);
  }

  private static List<Instant> times(List<Point> steps) {
    return steps.stream().map(Point::at).toList();
  }

  private List<String> counted(Point step) {
    return List.of(
        clock(step.at()),
        Words.number(step.sum("submitted")),
        Words.number(step.sum("completed")),
        Words.number(step.sum(FAILED)),
        Words.number(step.sum("throttled")),
        Words.number(step.sum("dead")));
  }

  private double most(Point step) {
    long most = Math.max(Math.max(step.sum("submitted"), step.sum("completed")), step.sum(FAILED));
    return most / minutes(step);
  }

  /** The minutes of a step that have passed: at least half of one, or its rate means nothing. */
  private double minutes(Point step) {
    Duration passed = Duration.between(step.at(), stats.asOf());
    return Math.max(30, Durations.min(passed, stats.length()).toSeconds()) / 60.0;
  }

  private ToDoubleFunction<Point> rates(String... counters) {
    return step -> step.sum(counters) / minutes(step);
  }

  private long total(String... counters) {
    return steps.stream().mapToLong(one -> one.sum(counters)).sum();
  }

  private Figure lengths(
      String what, String happened, Function<Point, @Nullable Lengths> of, List<Curve> curves) {
    List<Point> known = steps.stream().filter(one -> of.apply(one) != null).toList();
    double[] logs =
        known.stream()
            .flatMap(one -> curves.stream().map(curve -> curve.of.apply(of(one, of))))
            .mapToDouble(Ticks::log)
            .toArray();
    double from = Ticks.below(Arrays.stream(logs).min().orElse(-2));
    double to = Ticks.above(Arrays.stream(logs).max().orElse(0));
    Plot plot = plot(from, Math.max(to, from + 1));
    plot.axes(Ticks.times(stats.from(), stats.to()), Ticks.decades(from, Math.max(to, from + 1)));
    for (Curve curve : curves) {
      plot.legend(curve.css.split(" ", 2)[0], curve.legend);
      segments(plot, curve.css, known, one -> Ticks.log(curve.of.apply(of(one, of))));
    }
    List<List<String>> rows =
        known.stream().map(one -> row(one.at(), of(one, of), curves)).toList();
    plot.probes(times(known), stats.length(), heads(curves), rows);
    return new Figure(
        plot.svg("Percentiles of the " + what + " over time"),
        known.isEmpty()
            ? "No attempts that " + happened + " were counted in this period."
            : caption(what, happened, known.getLast().at(), of(known.getLast(), of), curves),
        heads(curves),
        rows);
  }

  private static List<String> heads(List<Curve> curves) {
    Stream<String> named = curves.stream().map(curve -> "~" + curve.legend.split(" ", 2)[0]);
    return Stream.concat(Stream.of("From, UTC", "mean"), named).toList();
  }

  private String caption(
      String what, String happened, Instant at, Lengths last, List<Curve> curves) {
    List<String> shares =
        curves.stream()
            .map(curve ->
                (curve.equals(HALF) ? "half had a " + what : curve.share)
                    + " of up to ~"
                    + Words.length(curve.of.apply(last)))
            .toList();
    return "Of the attempts that "
        + happened
        + " last (from "
        + clock(at)
        + " UTC), "
        + String.join(", ", shares)
        + ". The scale is logarithmic, and percentiles are estimates.";
  }

  private List<String> row(Instant at, Lengths lengths, List<Curve> curves) {
    Stream<String> own = curves.stream().map(curve -> Words.length(curve.of.apply(lengths)));
    return Stream.concat(Stream.of(clock(at), Words.length(lengths.mean())), own).toList();
  }

  private static Lengths of(Point step, Function<Point, @Nullable Lengths> of) {
    return Objects.requireNonNull(of.apply(step));
  }

  private String clock(Instant at) {
    return Ticks.clock(at, window);
  }

  private Plot plot(double from, double to) {
    return new Plot(stats.from().getEpochSecond(), stats.to().getEpochSecond(), from, to);
  }

  private void line(Plot plot, String css, ToDoubleFunction<Point> value) {
    draw(plot, css, steps, value);
  }

  /** Lines through neighbours: a step without attempts has no length, which is not zero. */
  private void segments(Plot plot, String css, List<Point> known, ToDoubleFunction<Point> value) {
    List<Point> run = new ArrayList<>();
    for (Point one : known) {
      if (!run.isEmpty() && !run.getLast().at().plus(stats.length()).equals(one.at())) {
        draw(plot, css, run, value);
        run.clear();
      }
      run.add(one);
    }
    draw(plot, css, run, value);
  }

  private void draw(Plot plot, String css, List<Point> run, ToDoubleFunction<Point> value) {
    List<At> whole = new ArrayList<>();
    for (Point one : run) {
      At at = new At(middle(one), value.applyAsDouble(one));
      if (stats.isForming(one)) {
        plot.line(css + " forming", whole.isEmpty() ? stub(one, at) : List.of(whole.getLast(), at));
      } else {
        whole.add(at);
      }
    }
    plot.line(css, whole.size() == 1 ? stub(run.getFirst(), whole.getFirst()) : whole);
  }

  /** A step without a neighbour, as wide as it is long. */
  private List<At> stub(Point step, At at) {
    double from = step.at().getEpochSecond();
    return List.of(new At(from, at.y()), new At(from + stats.length().toSeconds(), at.y()));
  }

  private double middle(Point step) {
    return step.at().getEpochSecond() + stats.length().toSeconds() / 2.0;
  }
}
