package dev.ebb.ui.svg;

import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.ComingPermits;
import dev.ebb.core.limit.WarmUpCurve;
import dev.ebb.ui.svg.CatchUp.End;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws the warm-up curve of a limit that is tried beside the one that a queue has. */
public final class WhatIfChart {
  private static final int STEPS = 120;
  private static final int ROWS = 40;

  private final WarmUpCurve tried;
  private final CatchUp ofTried;
  private final @Nullable WarmUpCurve real;
  private final @Nullable CatchUp ofReal;
  private final Load load;
  private final double end;

  private WhatIfChart(Limiter tried, @Nullable Limiter real, Load load) {
    this.tried = WarmUpCurve.of(tried);
    this.ofTried = catchUp(tried, load);
    this.real = real == null ? null : WarmUpCurve.of(real);
    this.ofReal = real == null ? null : catchUp(real, load);
    this.load = load;
    this.end = Math.max(this.tried.length(), this.real == null ? 0 : this.real.length());
  }

  /**
   * What a queue has to do.
   *
   * @param waiting jobs that are due and wait
   * @param demand jobs a second that became due lately
   * @param paused whether nothing starts
   * @param most how many of its jobs may run at a time; {@code null} for any number
   */
  public record Load(long waiting, double demand, boolean paused, @Nullable Integer most) {}

  /**
   * The chart.
   *
   * @param real the queue's own; {@code null} without a limit
   */
  public static Figure of(Limiter tried, @Nullable Limiter real, Load load) {
    WhatIfChart chart = new WhatIfChart(tried, real, load);
    return new Figure(
        chart.draw(),
        chart.caption(),
        List.of("Seconds since idle", "Tried, a second", "Current, a second"),
        chart.rows());
  }

  private String draw() {
    double full = Math.max(tried.fullRate(), real == null ? 0 : real.fullRate());
    var ticks = Ticks.numbers(1.08 * Math.max(full, Math.min(load.demand(), 2 * full)));
    Plot plot = new Plot(0, end, 0, ticks.getLast().at());
    plot.axes(Ticks.seconds(end), ticks);
    if (real != null) {
      plot.line("thin", points(real));
    }
    plot.line("warn thick", points(tried));
    plot.level("info", load.demand());
    At here = new At(tried.position(), tried.rate(tried.position()));
    caughtUp(plot);
    plot.dot(load.paused() ? "held" : "warn", here);
    plot.note(here, "would be here");
    plot.legend("warn", "tried (thick)");
    plot.legend("curve", real == null ? "current: no limit" : "current (thin)");
    plot.legend("info", "demand " + WarmUpChart.rate(load.demand()));
    return plot.svg("The tried warm-up curve beside the current one");
  }

  private List<At> points(WarmUpCurve curve) {
    List<At> points = new ArrayList<>();
    for (int i = 0; i <= STEPS; i++) {
      double at = end * i / STEPS;
      points.add(new At(at, curve.rate(at)));
    }
    return points;
  }

  private void caughtUp(Plot plot) {
    double at = tried.position() + ofTried.seconds();
    if (!load.paused() && ofTried.end() == End.CAUGHT_UP && at < end) {
      plot.upright("line good forming", at);
      plot.note(new At(at, 0.12 * tried.fullRate()), "caught up");
    }
  }

  private static CatchUp catchUp(Limiter limiter, Load load) {
    return CatchUp.of(ComingPermits.of(limiter), (double) load.waiting(), load.demand());
  }

  private String caption() {
    return "Lately "
        + WarmUpChart.rate(load.demand())
        + " became due, and "
        + Words.number(load.waiting())
        + (load.waiting() == 1 ? " job waits. " : " jobs wait. ")
        + (load.paused() ? "If the queue were not paused: " : "")
        + "Tried: "
        + ofTried.sentence()
        + " Current: "
        + (ofReal == null ? WarmUpChart.unlimited(load.most()) : ofReal.sentence());
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i <= ROWS; i++) {
      double at = end * i / ROWS;
      rows.add(
          List.of(
              Words.trimmed(at),
              Words.trimmed(tried.rate(at)),
              real == null ? "no limit" : Words.trimmed(real.rate(at))));
    }
    return rows;
  }
}
