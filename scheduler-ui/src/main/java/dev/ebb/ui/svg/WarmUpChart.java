package dev.ebb.ui.svg;

import dev.ebb.contract.Limiter;
import dev.ebb.core.health.Plain;
import dev.ebb.core.limit.ComingPermits;
import dev.ebb.core.limit.WarmUpCurve;
import dev.ebb.ui.svg.CatchUp.End;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Draws a queue's warm-up curve, the limiter's place on it, and what the demand makes of it. */
public final class WarmUpChart {
  static final String PAUSED = "Nothing starts until the queue is resumed.";

  private static final int STEPS = 120;

  private final Limiter limiter;
  private final WarmUpCurve curve;
  private final ComingPermits permits;
  private final double demand;
  private final CatchUp catchUp;

  private WarmUpChart(Limiter limiter, long waiting, double demand) {
    this.limiter = limiter;
    this.curve = WarmUpCurve.of(limiter);
    this.permits = ComingPermits.of(limiter);
    this.demand = demand;
    this.catchUp = CatchUp.of(permits, (double) waiting, demand);
  }

  /**
   * The chart of a limiter that has a limit.
   *
   * @param waiting jobs that are due and wait
   * @param demand jobs a second that became due lately
   * @param paused whether nothing starts
   */
  public static Figure of(Limiter limiter, long waiting, double demand, boolean paused) {
    WarmUpChart chart = new WarmUpChart(limiter, waiting, demand);
    return new Figure(
        chart.draw(paused),
        chart.caption(paused, waiting),
        List.of("Seconds since idle", "Permits a second", "Permits so far"),
        chart.rows());
  }

  private String draw(boolean paused) {
    double end = curve.length();
    double most =
        Math.max(limiter.configuredRate(), Math.min(demand, 2 * limiter.configuredRate()));
    var ticks = Ticks.numbers(1.08 * most);
    Plot plot = new Plot(0, end, 0, ticks.getLast().at());
    plot.axes(Ticks.seconds(end), ticks);
    if (!paused && demand > curve.rate(curve.position())) {
      shade(plot, ticks.getLast().at());
    }
    if (limiter.isCut()) {
      plot.line("thin", points(at -> curve.rate(at) / limiter.share()));
    }
    plot.line("thick", points(this::rateAt));
    plot.level("info", demand);
    At here = new At(curve.position(), curve.rate(curve.position()));
    caughtUp(plot, paused);
    plot.upright("axis", here.x());
    plot.dot(paused ? "held" : "here", here);
    plot.note(here, paused ? "paused here" : "now " + rate(here.y()));
    legend(plot);
    return plot.svg("The warm-up curve: permits a second since the queue was idle");
  }

  private void legend(Plot plot) {
    plot.legend("curve", limiter.isCut() ? "rate, throttled" : "rate");
    plot.legend("info", "demand " + rate(demand));
    plot.legend("area", "backlog during the warm-up");
  }

  /** What becomes due above the curve from now until the curve is above the demand. */
  private void shade(Plot plot, double top) {
    List<At> upper = new ArrayList<>();
    List<At> lower = new ArrayList<>();
    for (At point : points(this::rateAt)) {
      if (point.x() >= curve.position() && point.y() < demand) {
        upper.add(new At(point.x(), Math.min(top, demand)));
        lower.add(point);
      }
    }
    plot.area("area", upper, lower);
  }

  private void caughtUp(Plot plot, boolean paused) {
    double at = curve.position() + catchUp.seconds();
    if (!paused && catchUp.end() == End.CAUGHT_UP && at < curve.length()) {
      plot.upright("line good forming", at);
      plot.note(
          new At(at, limiter.configuredRate() * (isBesideNow(at) ? 0.75 : 0.12)), "caught up");
    }
  }

  /** Whether the words of the limiter's place would stand below the curve there. */
  private boolean isBesideNow(double at) {
    return curve.rate(curve.position()) < 0.4 * limiter.configuredRate()
        && at - curve.position() < curve.length() / 3;
  }

  /** Until now at what a cut leaves; from now on it recovers. */
  private double rateAt(double seconds) {
    double ahead = seconds - curve.position();
    return ahead < 0 ? curve.rate(seconds) : permits.rate(ahead);
  }

  private List<At> points(DoubleUnaryOperator rate) {
    List<At> points = new ArrayList<>();
    for (int i = 0; i <= STEPS; i++) {
      double at = curve.length() * i / STEPS;
      points.add(new At(at, rate.applyAsDouble(at)));
    }
    return points;
  }

  private String caption(boolean paused, long waiting) {
    return place(paused)
        + (limiter.isCut()
            ? " The receiver throttled: the full rate is cut to "
                + rate(limiter.stableRate())
                + " and recovers by itself."
            : "")
        + " Lately "
        + rate(demand)
        + " became due, and "
        + Words.number(waiting)
        + (waiting == 1 ? " job waits. " : " jobs wait. ")
        + (paused ? PAUSED : catchUp.sentence());
  }

  private String place(boolean paused) {
    String now = rate(limiter.currentRate());
    if (paused) {
      return "Paused. After a resume it starts at " + rate(limiter.coldRate()) + ".";
    }
    return switch (limiter.phase()) {
      case "cold" -> "Cold: starts at " + now + " of " + rate(limiter.configuredRate()) + ".";
      case "warming" -> "Warming up: " + now + " of " + rate(limiter.configuredRate()) + " now.";
      default -> "Warm: " + now + ".";
    };
  }

  /**
   * That of a queue without a limit.
   *
   * @param most how many of its jobs may run at a time; {@code null} for any number
   */
  public static String unlimited(@Nullable Integer most) {
    return "No rate limit: jobs start as soon as they are due and a worker is free"
        + (most == null ? "." : ", up to " + Words.number(most) + " at a time.");
  }

  static String rate(double perSecond) {
    return Plain.rate(perSecond) + "/s";
  }

  /** The API's points, as they are. */
  private List<List<String>> rows() {
    return limiter.curve().stream()
        .map(point ->
            List.of(
                Words.trimmed(point.seconds()),
                Words.trimmed(point.rate()),
                Words.trimmed(point.permits())))
        .toList();
  }
}
