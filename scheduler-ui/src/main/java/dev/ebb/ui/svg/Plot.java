package dev.ebb.ui.svg;

import java.util.List;
import java.util.Locale;

/** A drawing with two axes, whose marks are given in the axes' own units. */
final class Plot {
  private static final double WIDTH = 760;
  private static final double LEFT = 62;
  private static final double RIGHT = 744;
  private static final double TOP = 26;
  private static final double BOTTOM = 218;
  private static final double HEIGHT = 252;

  private final double xFrom;
  private final double xTo;
  private final double yFrom;
  private final double yTo;
  private final StringBuilder marks = new StringBuilder();
  private double legend = LEFT;

  /** A place on an axis, and what stands there. */
  record Tick(double at, String text) {}

  /** A point in the axes' units. */
  record At(double x, double y) {}

  Plot(double xFrom, double xTo, double yFrom, double yTo) {
    this.xFrom = xFrom;
    this.xTo = xTo > xFrom ? xTo : xFrom + 1;
    this.yFrom = yFrom;
    this.yTo = yTo > yFrom ? yTo : yFrom + 1;
  }

  private double x(double value) {
    return LEFT + (RIGHT - LEFT) * (clamped(value, xFrom, xTo) - xFrom) / (xTo - xFrom);
  }

  private double y(double value) {
    return BOTTOM - (BOTTOM - TOP) * (clamped(value, yFrom, yTo) - yFrom) / (yTo - yFrom);
  }

  private static double clamped(double value, double from, double to) {
    return Math.min(to, Math.max(from, value));
  }

  void axes(List<Tick> onX, List<Tick> onY) {
    for (Tick tick : onY) {
      rule("axis", x(xFrom), y(tick.at), x(xTo), y(tick.at));
      words("end", LEFT - 8, y(tick.at) + 4, tick.text);
    }
    for (Tick tick : onX) {
      rule("axis", x(tick.at), BOTTOM, x(tick.at), BOTTOM + 5);
      words(anchor(tick.at), x(tick.at), BOTTOM + 20, tick.text);
    }
  }

  private String anchor(double at) {
    return x(at) > RIGHT - 30 ? "end" : "middle";
  }

  /** Says above the drawing what marks of a class are. */
  void legend(String css, String text) {
    rect(css, legend, 6, 14, 8);
    words("start", legend + 19, 14, text);
    legend += 36 + 6.6 * text.length();
  }

  void line(String css, List<At> points) {
    if (!points.isEmpty()) {
      path("line " + css, through(points));
    }
  }

  /** The area between two lines. */
  void area(String css, List<At> upper, List<At> lower) {
    if (!upper.isEmpty()) {
      path(css, through(upper) + through(lower.reversed()).replaceFirst("M", "L") + "Z");
    }
  }

  private String through(List<At> points) {
    StringBuilder path = new StringBuilder();
    for (At point : points) {
      path.append(path.isEmpty() ? "M" : "L");
      path.append(number(x(point.x))).append(' ').append(number(y(point.y)));
    }
    return path.toString();
  }

  /** A bar with what a reader sees by pointing at it. */
  void bar(String css, At lowerLeft, At upperRight, String title) {
    double left = x(lowerLeft.x) + 0.5;
    double top = y(upperRight.y);
    marks.append("<g>");
    rect(css, left, top, Math.max(0.5, x(upperRight.x) - left - 0.5), y(lowerLeft.y) - top);
    marks.append("<title>").append(escaped(title)).append("</title></g>");
  }

  /** A level all the way across, with its name above it. */
  void level(String css, double value, String text) {
    rule("line " + css, LEFT, y(value), RIGHT, y(value));
    words("end", RIGHT, y(value) - 5, text);
  }

  void upright(String css, double at) {
    rule("line " + css, x(at), TOP, x(at), BOTTOM);
  }

  void dot(String css, At at) {
    marks
        .append("<circle class=\"")
        .append(css)
        .append("\" cx=\"")
        .append(number(x(at.x)))
        .append("\" cy=\"")
        .append(number(y(at.y)))
        .append("\" r=\"6\"/>");
  }

  /** Text beside a point: on its left where there is more room. */
  void note(At at, String text) {
    boolean left = x(at.x) > (LEFT + RIGHT) / 2;
    words(left ? "end" : "start", x(at.x) + (left ? -11 : 11), y(at.y) + 16, text);
  }

  private void rule(String css, double x1, double y1, double x2, double y2) {
    path(css, "M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2));
  }

  private void path(String css, String d) {
    marks.append("<path class=\"").append(css).append("\" d=\"").append(d).append("\"/>");
  }

  private void rect(String css, double x, double y, double width, double height) {
    marks
        .append("<rect class=\"")
        .append(css)
        .append("\" x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" width=\"")
        .append(number(width))
        .append("\" height=\"")
        .append(number(Math.max(0, height)))
        .append("\"/>");
  }

  private void words(String anchor, double x, double y, String text) {
    marks
        .append("<text x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" text-anchor=\"")
        .append(anchor)
        .append("\">")
        .append(escaped(text))
        .append("</text>");
  }

  /** The whole drawing. */
  String svg(String label) {
    return "<svg class=\"chart\" viewBox=\"0 0 "
        + number(WIDTH)
        + " "
        + number(HEIGHT)
        + "\" role=\"img\" aria-label=\""
        + escaped(label)
        + "\">"
        + marks
        + "</svg>";
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
