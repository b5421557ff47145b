package dev.ebb.ui.svg;

import dev.ebb.ui.answer.Delivery;
import java.util.List;

/** Where the time of an attempt went, as one bar. */
public final class TimeBar {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 14;
  private static final int COLOURS = 3;

  private TimeBar() {}

  /**
   * The bar, as SVG.
   *
   * @param longest the milliseconds of a whole bar: those of the longest beside it
   */
  public static String draw(List<Delivery.Part> parts, long longest) {
    long total = parts.stream().mapToLong(Delivery.Part::millis).sum();
    Pen pen = new Pen("timebar", WIDTH, HEIGHT, "Took " + total + " ms");
    double scale = (double) WIDTH / Math.max(1, Math.max(longest, total));
    double x = 0;
    for (int i = 0; i < parts.size(); i++) {
      double width = parts.get(i).millis() * scale;
      pen.box("part" + (i % COLOURS), x, 0, Math.max(width, 1), HEIGHT);
      x += width;
    }
    return pen.toString();
  }
}
