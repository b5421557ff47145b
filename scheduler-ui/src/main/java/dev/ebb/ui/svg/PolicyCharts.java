package dev.ebb.ui.svg;

import dev.ebb.contract.LoadSecond;
import dev.ebb.contract.PolicyPreview;
import dev.ebb.contract.PreviewedAttempt;
import dev.ebb.contract.RetryLoad;
import dev.ebb.contract.Times;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.svg.PlotSheet.Tick;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws what a retry policy means: the band of each attempt, the load by jobs that fail together,
 * attempts by time, and the end. Time runs as the logarithm of seconds and one, from zero.
 */
public final class PolicyCharts {
  private static final int MOST_BARS = 40;
  private static final int TWENTIETHS = 20;
  private static final double HALF = 0.36;
  private static final List<Duration> MARKS =
      List.of(
          Duration.ZERO,
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(2),
          Duration.ofDays(10),
          Duration.ofDays(60),
          Duration.ofDays(365),
          Duration.ofDays(3650));

  private PolicyCharts() {}

  private static double x(Duration at) {
    return Math.log10(1 + at.toNanos() / 1e9);
  }

  private static Plot plot(Duration end, List<Tick> ticks) {
    double to = Math.max(x(end), Math.log10(2));
    Plot plot = new Plot(0, to, 0, ticks.getLast().at());
    List<Tick> times =
        MARKS.stream()
            .filter(mark -> x(mark) <= to)
            .map(mark -> new Tick(x(mark), mark.isZero() ? "0" : Words.length(mark)))
            .toList();
    plot.axes(times, ticks);
    return plot;
  }

  /** Where each attempt starts: one job in ten, half of them, nine in ten. */
  public static Figure bands(PolicyPreview preview) {
    List<PreviewedAttempt> attempts = preview.attempts();
    Plot plot = plot(end(preview), Ticks.counts(attempts.getLast().number() + 1));
    plot.legend("band", "8 starts in 10");
    plot.legend("next", "median");
    if (attempts.size() <= MOST_BARS) {
      attempts.forEach(attempt -> bar(plot, attempt));
    } else {
      plot.area(
          "band",
          places(attempts, one -> one.start().p10()),
          places(attempts, one -> one.start().p90()));
      plot.line("middle", places(attempts, one -> one.start().median()));
    }
    return new Figure(
        plot.svg("When each attempt starts"),
        "When each attempt starts if every attempt fails at once. The band holds 8 starts in 10.",
        List.of(
            "Attempt",
            "Jobs that reach it",
            "Earliest",
            "1 in 10 by",
            "Half by",
            "9 in 10 by",
            "Latest"),
        attempts.stream().map(PolicyCharts::row).toList());
  }

  /** By what an attempt's start is told. */
  @FunctionalInterface
  private interface Quantile {
    Duration of(PreviewedAttempt attempt);
  }

  private static List<At> places(List<PreviewedAttempt> attempts, Quantile quantile) {
    return attempts.stream().map(one -> new At(x(quantile.of(one)), one.number())).toList();
  }

  private static void bar(Plot plot, PreviewedAttempt attempt) {
    Times start = attempt.start();
    int n = attempt.number();
    String title = "PreviewedAttempt " + n + ": half by " + Words.length(start.median());
    plot.bar("band", new At(x(start.p10()), n - HALF), new At(x(start.p90()), n + HALF), title);
    double middle = x(start.median());
    plot.line("middle", List.of(new At(middle, n - HALF), new At(middle, n + HALF)));
  }

  private static List<String> row(PreviewedAttempt attempt) {
    Times start = attempt.start();
    return Stream.concat(
            Stream.of(Words.number(attempt.number()), Words.percent(attempt.chance())),
            Stream.of(start.earliest(), start.p10(), start.median(), start.p90(), start.latest())
                .map(Words::length))
        .toList();
  }

  private static Duration end(PolicyPreview preview) {
    return preview.giveUp().latest();
  }

  /** What all jobs that fail together start in each second. */
  public static Figure load(PolicyPreview preview) {
    RetryLoad load = preview.load();
    Plot plot = plot(end(preview), Ticks.numbers(Math.max(load.peak().starts(), 1e-3)));
    List<At> line = load.seconds().stream().map(one -> new At(x(one.at()), one.starts())).toList();
    plot.area("area", line, line.stream().map(at -> new At(at.x(), 0)).toList());
    plot.line("", line);
    At peak = new At(x(load.peak().at()), load.peak().starts());
    plot.dot("here", peak);
    plot.note(peak, Words.trimmed(load.peak().starts()) + " a second");
    return new Figure(
        plot.svg("Starts a second by jobs that fail together"),
        loadWords(load),
        List.of("From second", "Starts"),
        load.seconds().stream()
            .map(one -> List.of(Words.length(one.at()), Words.trimmed(one.starts())))
            .toList());
  }

  private static String loadWords(RetryLoad load) {
    LoadSecond peak = load.peak();
    String how =
        load.computed()
            ? " Computed from the distribution of delays, without simulation."
            : " Counted in a simulation: this jitter's delays depend on each other, or jump.";
    if (peak.starts() == 0) {
      return "Jobs that fail together are not retried.";
    }
    return Words.counted(load.jobs(), "job")
        + (load.jobs() == 1 ? " that fails comes" : " that fail together come")
        + " back with at most "
        + Words.trimmed(peak.starts())
        + " starts in one second, "
        + Words.length(peak.at())
        + " after the failure."
        + how;
  }

  /** How many attempts a job has started by a time. */
  public static Figure attempts(PolicyPreview preview) {
    List<LoadSecond> seconds = preview.load().seconds();
    double most = Math.max(1, seconds.getLast().attempts());
    Plot plot = plot(end(preview), Ticks.counts(most));
    plot.line("", seconds.stream().map(one -> new At(x(one.at()), one.attempts())).toList());
    return new Figure(
        plot.svg("Attempts by time"),
        "Average number of attempts that a job has started by a time, including the first.",
        List.of("By", "Attempts"),
        seconds.stream()
            .map(one -> List.of(Words.length(one.at()), Words.trimmed(one.attempts())))
            .toList());
  }

  /** By when such jobs are given up. */
  public static Figure givesUp(PolicyPreview preview) {
    Times end = preview.giveUp();
    List<Duration> by = new ArrayList<>(List.of(end.earliest()));
    by.addAll(preview.givenUp());
    by.add(end.latest());
    Plot plot = plot(end.latest(), percents());
    // The ends alone may lie so far out that a line to them would tell of jobs that are not there.
    plot.line(
        "bad",
        IntStream.range(1, TWENTIETHS)
            .mapToObj(i -> new At(x(by.get(i)), 100.0 * i / TWENTIETHS))
            .toList());
    return new Figure(
        plot.svg("Share of jobs given up by time"),
        "Share of jobs given up by a time: none before "
            + Words.length(end.earliest())
            + ", all by "
            + Words.length(end.latest())
            + ".",
        List.of("Given up", "By"),
        IntStream.range(0, by.size())
            .mapToObj(i -> List.of(5 * i + " %", Words.length(by.get(i))))
            .toList());
  }

  private static List<Tick> percents() {
    return IntStream.rangeClosed(0, 4).mapToObj(i -> new Tick(25.0 * i, 25 * i + " %")).toList();
  }
}
