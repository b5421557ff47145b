package dev.ebb.ui.svg;

import dev.ebb.contract.Limiter;

/** Draws in a table's cell how much of its full rate a limiter gives. */
public final class Gauge {
  private static final double WIDTH = 56;

  private Gauge() {}

  /** A bar that is full at the configured rate, with the full rate that throttling leaves. */
  public static String of(Limiter limiter, boolean paused) {
    double rate = paused ? 0 : limiter.currentRate();
    double now = WIDTH * Math.clamp(rate / limiter.configuredRate(), 0, 1);
    double cut = WIDTH * Math.clamp(limiter.share(), 0, 1);
    String label =
        (paused ? "paused" : limiter.phase())
            + ": "
            + WarmUpChart.rate(rate)
            + " of "
            + WarmUpChart.rate(limiter.configuredRate());
    return "<svg class=\"gauge\" viewBox=\"0 0 56 10\" width=\"56\" height=\"10\" role=\"img\""
        + " aria-label=\""
        + PlotSheet.escaped(label)
        + "\"><rect class=\"track\" width=\"56\" height=\"10\" rx=\"2\"/><rect class=\""
        + (limiter.isCut() ? "warn" : "full")
        + "\" width=\""
        + PlotSheet.number(now)
        + "\" height=\"10\" rx=\"2\"/>"
        + (limiter.isCut()
            ? "<rect class=\"mark\" x=\""
                + PlotSheet.number(Math.max(0, cut - 2))
                + "\" width=\"2\""
                + " height=\"10\"/>"
            : "")
        + "</svg>";
  }
}
