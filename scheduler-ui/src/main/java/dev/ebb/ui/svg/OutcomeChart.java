package dev.ebb.ui.svg;

import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.svg.PlotSheet.Tick;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws which share of the attempts of a time ended how. A time of which none was counted is a gap:
 * of a share of nothing, nothing is known.
 */
public final class OutcomeChart {
  /** Where the attempts of many queues are counted as one, a gap is not a time without any. */
  static final String GAP = " In a gap nothing was counted.";

  private static final List<String> HEADS =
      List.of("From, UTC", "Attempts", "Completed", "Throttled", "Failed");

  /** So many steps are one bar. */
  private static final int TOGETHER = 5;

  private static final List<Tick> SHARES =
      List.of(new Tick(0, "0 %"), new Tick(0.5, "50 %"), new Tick(1, "100 %"));

  private OutcomeChart() {}

  /** What ended in some steps. */
  private record Bar(Instant from, Instant to, long completed, long throttled, long failed) {
    static Bar of(List<Point> steps, Duration length) {
      return new Bar(
          steps.getFirst().at(),
          steps.getLast().at().plus(length),
          steps.stream().mapToLong(one -> one.sum("completed")).sum(),
          steps.stream().mapToLong(one -> one.sum("throttled")).sum(),
          steps.stream().mapToLong(one -> one.sum("failed")).sum());
    }

    long all() {
      return completed + throttled + failed;
    }
  }

  /** The chart of steps, five of which are a bar. */
  public static Figure of(QueueStats stats) {
    List<Bar> bars = bars(stats);
    Duration window = Duration.between(stats.from(), stats.to());
    List<Bar> known = bars.stream().filter(bar -> bar.all() > 0).toList();
    Plot plot = new Plot(stats.from().getEpochSecond(), stats.to().getEpochSecond(), 0, 1);
    plot.axes(Ticks.times(stats.from(), stats.to()), SHARES);
    plot.legend("good", "completed");
    plot.legend("warn", "throttled");
    plot.legend("bad", "failed");
    known.forEach(bar -> draw(plot, bar, window));
    return new Figure(
        plot.svg("Shares of the attempts that completed, were throttled and failed"),
        caption(stats, known),
        HEADS,
        known.stream().map(bar -> row(bar, window)).toList());
  }

  private static List<Bar> bars(QueueStats stats) {
    List<Point> steps = stats.steps();
    List<Bar> bars = new ArrayList<>();
    for (int from = 0; from < steps.size(); from += TOGETHER) {
      int to = Math.min(steps.size(), from + TOGETHER);
      bars.add(Bar.of(steps.subList(from, to), stats.length()));
    }
    return bars;
  }

  private static void draw(Plot plot, Bar bar, Duration window) {
    String title =
        "From %s UTC: %s, of which %s completed, %s were throttled and %s failed"
            .formatted(
                Ticks.clock(bar.from, window),
                Words.counted(bar.all(), "attempt"),
                Words.number(bar.completed),
                Words.number(bar.throttled),
                Words.number(bar.failed));
    double below = 0;
    below = part(plot, "good", bar, below, bar.completed, title);
    below = part(plot, "warn", bar, below, bar.throttled, title);
    part(plot, "bad", bar, below, bar.failed, title);
  }

  /** Answers where it ends. */
  private static double part(
      Plot plot, String css, Bar bar, double below, long number, String title) {
    double above = below + (double) number / bar.all();
    if (number > 0) {
      At lowerLeft = new At(bar.from.getEpochSecond(), below);
      plot.bar(css, lowerLeft, new At(bar.to.getEpochSecond(), above), title);
    }
    return above;
  }

  private static List<String> row(Bar bar, Duration window) {
    return List.of(
        Ticks.clock(bar.from, window),
        Words.number(bar.all()),
        Words.number(bar.completed),
        Words.number(bar.throttled),
        Words.number(bar.failed));
  }

  private static String caption(QueueStats stats, List<Bar> known) {
    long all = known.stream().mapToLong(Bar::all).sum();
    if (all == 0) {
      return "No attempts were counted in this period." + missing(stats);
    }
    long completed = known.stream().mapToLong(Bar::completed).sum();
    return Words.number(completed)
        + " of "
        + Words.counted(all, "attempt")
        + " completed."
        + GAP
        + missing(stats);
  }

  /** What the charts of these steps lack, as a sentence behind others. */
  static String missing(QueueStats stats) {
    return stats.complete() ? "" : " The newest data is missing.";
  }
}
