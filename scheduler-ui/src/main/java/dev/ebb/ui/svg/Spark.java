package dev.ebb.ui.svg;

import java.util.List;
import java.util.Locale;

/** Draws a small line without axes: how something went lately. */
public final class Spark {
  private static final double WIDTH = 160;
  private static final double HEIGHT = 32;
  private static final double LEAST = 1e-9;

  private Spark() {}

  /**
   * The values from left to right, from zero up to the largest.
   *
   * @param css classes of the line
   * @param label what it shows, in words
   */
  public static String of(List<Double> values, String css, String label) {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg class=\"chart spark\" viewBox=\"0 0 160 34\" preserveAspectRatio=\"none\"");
    svg.append(" role=\"img\" aria-label=\"").append(PlotSheet.escaped(label)).append("\">");
    svg.append("<title>").append(PlotSheet.escaped(label)).append("</title>");
    if (values.size() > 1) {
      String line = line(values);
      svg.append("<path class=\"area ").append(css).append("\" d=\"").append(line);
      svg.append("L160 33L0 33Z\"/>");
      svg.append("<path class=\"line ").append(css).append("\" d=\"").append(line);
      svg.append("\" vector-effect=\"non-scaling-stroke\"/>");
    }
    return svg.append("</svg>").toString();
  }

  private static String line(List<Double> values) {
    double most = Math.max(LEAST, values.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double x = WIDTH * i / (values.size() - 1);
      double y = 1 + HEIGHT * (1 - Math.clamp(values.get(i) / most, 0, 1));
      line.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x, y));
    }
    return line.toString();
  }
}
