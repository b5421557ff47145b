package dev.ebb.ui.svg;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Where time went, as one bar of parts beside each other. */
public final class TimeBar {
  private static final int WIDTH = 1_000;
  private static final int HEIGHT = 24;

  /** The width that even the shortest part gets, while there is room for so many. */
  private static final double THINNEST = 6;

  /** The share of the bar that may go to such widths. */
  private static final double MOST_THIN = 0.4;

  private TimeBar() {}

  /**
   * A part of the bar.
   *
   * @param shade the class of its colour: a plain word
   */
  public record Part(String shade, Duration length) {}

  /**
   * The bar, as SVG: every part gets the same little, and its share of the rest.
   *
   * @param words what it shows
   */
  public static String draw(String words, List<Part> parts) {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg class=\"chart timebar\" viewBox=\"0 0 %s %s\"".formatted(WIDTH, HEIGHT));
    svg.append(" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
    svg.append(Pen.escaped(words)).append("\">");
    double whole = parts.stream().mapToDouble(part -> seconds(part.length())).sum();
    double least = Math.min(THINNEST, MOST_THIN * WIDTH / Math.max(1, parts.size()));
    double rest = WIDTH - least * parts.size();
    double x = 0;
    for (Part part : parts) {
      double width = least + (whole > 0 ? rest * seconds(part.length()) / whole : 0);
      svg.append(rectangle(part.shade(), x, width));
      x += width;
    }
    return svg.append("</svg>").toString();
  }

  private static double seconds(Duration length) {
    return length.toNanos() / 1e9;
  }

  private static String rectangle(String shade, double x, double width) {
    return String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\"/>",
        shade,
        x,
        width,
        HEIGHT);
  }
}
