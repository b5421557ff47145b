package dev.ebb.ui.svg;

import dev.ebb.contract.Limiter;
import dev.ebb.core.health.Plain;
import java.util.Locale;

/** Draws how far a queue's limiter has opened, as a bar for tables. */
public final class RateBar {
  private static final double WIDTH = 72;

  private RateBar() {}

  /** The bar of a queue that has a limit: what is open now of the configured rate. */
  public static String of(Limiter limiter, boolean paused) {
    double rate = paused ? 0 : limiter.currentRate();
    double open = WIDTH * Math.clamp(rate / limiter.configuredRate(), 0, 1);
    double cold = WIDTH * Math.clamp(limiter.coldRate() / limiter.configuredRate(), 0, 1);
    return String.format(
        Locale.ROOT,
        "<svg class=\"chart rate\" viewBox=\"0 0 72 10\" role=\"img\" aria-label=\"%s\">"
            + "<rect class=\"track\" width=\"72\" height=\"10\" rx=\"3\"/>"
            + "<rect class=\"%s\" width=\"%.1f\" height=\"10\" rx=\"3\"/>"
            + "<path class=\"axis\" d=\"M%.1f 0V10\"/></svg>",
        PlotSheet.escaped(words(limiter, paused)),
        limiter.isCut() ? "warn" : limiter.phase().equals("warm") ? "good" : "info",
        open,
        cold);
  }

  /** The same in words. */
  public static String words(Limiter limiter, boolean paused) {
    return (paused ? "paused" : limiter.isCut() ? "cut" : limiter.phase())
        + ", "
        + (paused ? "0" : Plain.rate(limiter.currentRate()))
        + " of "
        + Plain.rate(limiter.configuredRate())
        + "/s";
  }
}
