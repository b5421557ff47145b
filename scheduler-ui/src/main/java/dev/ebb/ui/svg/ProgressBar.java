package dev.ebb.ui.svg;

import java.util.List;
import java.util.Locale;

/** How far something has come: a bar of parts. */
public final class ProgressBar {
  private static final int WIDTH = 1_000;
  private static final int HEIGHT = 16;

  private ProgressBar() {}

  /**
   * A part.
   *
   * @param name that people read
   * @param look the class of its colour: a plain word
   */
  public record Part(String name, String look, long count) {}

  /** The parts beside each other, as long as their shares of the total. */
  public static String of(List<Part> parts, long total) {
    StringBuilder svg =
        new StringBuilder(
            ("<svg class=\"chart progress\" viewBox=\"0 0 %s %s\""
                    + " preserveAspectRatio=\"none\" aria-hidden=\"true\">")
                .formatted(WIDTH, HEIGHT));
    svg.append(rectangle("left", 0, WIDTH));
    double from = 0;
    for (Part part : parts) {
      double width = total <= 0 ? 0 : (double) WIDTH * part.count() / total;
      if (width > 0) {
        svg.append(rectangle(part.look(), from, width));
        from += width;
      }
    }
    return svg.append("</svg>").toString();
  }

  private static String rectangle(String look, double from, double width) {
    return String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"/>",
        look,
        from,
        width,
        HEIGHT);
  }
}
