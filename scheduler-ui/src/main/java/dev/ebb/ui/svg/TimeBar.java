package dev.ebb.ui.svg;

import java.util.List;

/** Where the time of an attempt went before it started, or while it ran, as one bar. */
public final class TimeBar {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 14;

  /** The width of a part that would be too thin to be seen, and the room that is kept for such. */
  private static final int THINNEST = 2;

  private static final int SPARE = 16;

  private TimeBar() {}

  /**
   * A part of the bar.
   *
   * @param shade the class of its colour
   */
  public record Part(String name, long millis, String shade) {}

  /** The length of all parts. */
  public static long millis(List<Part> parts) {
    return parts.stream().mapToLong(Part::millis).sum();
  }

  /**
   * The bar, as SVG.
   *
   * @param words what it shows
   * @param longest the milliseconds of a whole bar: those of the longest above or below it
   */
  public static String draw(String words, List<Part> parts, long longest) {
    Pen pen = new Pen("timebar", WIDTH, HEIGHT, words);
    double scale = (double) (WIDTH - SPARE) / Math.max(1, Math.max(longest, millis(parts)));
    double x = 0;
    for (Part part : parts) {
      double width = Math.max(part.millis() * scale, THINNEST);
      pen.box(part.shade(), x, 0, width, HEIGHT);
      x += width;
    }
    return pen.toString();
  }
}
