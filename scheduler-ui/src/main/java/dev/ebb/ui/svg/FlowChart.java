package dev.ebb.ui.svg;

import dev.ebb.contract.QueueStats;
import dev.ebb.contract.QueueStats.Point;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the jobs that came and those that ended, summed up: the distance between the lines is the
 * backlog.
 */
public final class FlowChart {
  private static final String[] CAME = {"submitted", "redriven"};
  private static final String[] ENDED = {"completed", "cancelled", "dead"};

  private static final List<String> HEADS = List.of("From, UTC", "Came", "Ended", "Backlog");

  private FlowChart() {}

  /**
   * The sums at the end of a step.
   *
   * @param came with those that were there before
   */
  private record Sums(Point step, long came, long ended) {
    double most() {
      return Math.max(came, ended);
    }

    long backlog() {
      return Math.max(0, came - ended);
    }
  }

  /**
   * The chart.
   *
   * @param jobs how many there are at the end
   */
  public static Figure of(QueueStats stats, long jobs, JobLinks links) {
    List<Sums> sums = sums(stats, jobs);
    Duration window = Duration.between(stats.from(), stats.to());
    List<List<String>> rows = sums.stream().map(one -> row(one, window)).toList();
    List<List<String>> leads =
        sums.stream().map(one -> leads(one.step, stats.length(), links)).toList();
    return new Figure(draw(stats, sums, rows), caption(sums, window), HEADS, rows).leading(leads);
  }

  private static List<String> row(Sums sums, Duration window) {
    return List.of(
        Ticks.clock(sums.step.at(), window),
        Words.number(sums.step.sum(CAME)),
        Words.number(sums.step.sum(ENDED)),
        Words.number(sums.backlog()));
  }

  /** Jobs that came back, died and may do so, or were discarded are in another list, or in none. */
  private static List<String> leads(Point step, Duration length, JobLinks links) {
    long came = step.sum("redriven") == 0 ? step.sum(CAME) : 0;
    long ended = step.sum("dead", "discarded") == 0 ? step.sum(ENDED) : 0;
    return List.of(
        "",
        JobLinks.ifAny(came, links.submitted(step.at(), length)),
        JobLinks.ifAny(ended, links.ended(step.at(), length)),
        "");
  }

  private static List<Sums> sums(QueueStats stats, long jobs) {
    List<Point> steps = stats.steps();
    long grown = steps.stream().mapToLong(one -> one.sum(CAME) - one.sum(ENDED)).sum();
    long came = Math.max(0, jobs - grown);
    long ended = 0;
    List<Sums> sums = new ArrayList<>();
    for (Point step : steps) {
      came += step.sum(CAME);
      ended += step.sum(ENDED);
      sums.add(new Sums(step, came, ended));
    }
    return sums;
  }

  private static String draw(QueueStats stats, List<Sums> sums, List<List<String>> rows) {
    double most = sums.stream().mapToDouble(Sums::most).max().orElse(0);
    var ticks = Ticks.counts(Math.max(1, most));
    Plot plot =
        new Plot(
            stats.from().getEpochSecond(), stats.to().getEpochSecond(), 0, ticks.getLast().at());
    plot.axes(Ticks.times(stats.from(), stats.to()), ticks);
    plot.legend("info", "came");
    plot.legend("good", "ended");
    plot.legend("area", "backlog");
    List<At> came = new ArrayList<>();
    List<At> ended = new ArrayList<>();
    double now = stats.asOf().getEpochSecond();
    for (Sums one : sums) {
      double end = Math.min(end(stats, one.step), now);
      came.add(new At(end, one.came));
      ended.add(new At(end, one.ended));
    }
    plot.area("area", came, ended);
    plot.line("info", came);
    plot.line("good", ended);
    List<Instant> steps = sums.stream().map(one -> one.step.at()).toList();
    plot.probes(steps, stats.length(), HEADS, rows);
    return plot.svg("Jobs submitted and jobs ended, cumulative");
  }

  private static double end(QueueStats stats, Point step) {
    return step.at().plus(stats.length()).getEpochSecond();
  }

  private static String caption(List<Sums> sums, Duration window) {
    long came = sums.stream().mapToLong(one -> one.step.sum(CAME)).sum();
    long ended = sums.stream().mapToLong(one -> one.step.sum(ENDED)).sum();
    if (came == 0 && ended == 0) {
      return "No submitted or ended jobs were counted in this period.";
    }
    long before = sums.getFirst().backlog();
    long now = sums.getLast().backlog();
    String way =
        now == before
            ? " The backlog is as large as at the start: "
            : now > before ? " The backlog has grown to " : " The backlog has shrunk to ";
    return Words.number(came)
        + (came == 1 ? " job submitted and " : " jobs submitted and ")
        + Words.number(ended)
        + " ended within "
        + Words.length(window)
        + "."
        + way
        + Words.number(now)
        + ".";
  }
}
