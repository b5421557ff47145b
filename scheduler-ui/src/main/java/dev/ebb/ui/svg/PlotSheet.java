package dev.ebb.ui.svg;

import java.util.List;
import java.util.Locale;

/** One of the drawings of a plot. */
final class PlotSheet {
  /** A place on an axis, and what stands there. */
  record Tick(double at, String text) {}

  /** A point in the axes' units. */
  record At(double x, double y) {}

  /** What an axis holds. */
  record Scale(double from, double to) {
    Scale {
      to = to > from ? to : from + 1;
    }

    /** How far along the axis a value is, from zero to one. */
    double share(double value) {
      return (Math.min(to, Math.max(from, value)) - from) / (to - from);
    }
  }

  /** Beside another chart, or as wide as the page. */
  static final Frame WIDE = new Frame("for-wide", 640, 240, 26);

  /** Whole on a phone, with room for two lines of the legend. */
  static final Frame NARROW = new Frame("for-phone", 360, 270, 44);

  private static final double LEFT = 62;
  private static final double BELOW = 34;
  private static final double RIGHT_EDGE = 16;
  private static final double LETTER = 6.6;
  private static final double LINE = 17;
  private static final double ROOM = 110;

  private final Frame frame;
  private final Scale xs;
  private final Scale ys;
  private final StringBuilder marks = new StringBuilder();
  private double legend = LEFT;
  private double legendTop = 6;
  private boolean leads;

  /** The size of a drawing, and where its axes begin at the top. */
  record Frame(String css, double width, double height, double top) {
    double right() {
      return width - RIGHT_EDGE;
    }

    double bottom() {
      return height - BELOW;
    }
  }

  PlotSheet(Frame frame, Scale xs, Scale ys) {
    this.frame = frame;
    this.xs = xs;
    this.ys = ys;
  }

  private double x(double value) {
    return LEFT + (frame.right() - LEFT) * xs.share(value);
  }

  private double y(double value) {
    return frame.bottom() - (frame.bottom() - frame.top()) * ys.share(value);
  }

  void axes(List<Tick> onX, List<Tick> onY) {
    for (Tick tick : onY) {
      rule("axis", LEFT, y(tick.at()), frame.right(), y(tick.at()));
      words("end", LEFT - 8, y(tick.at()) + 4, tick.text());
    }
    double free = 0;
    for (Tick tick : onX) {
      free = tick(tick, free);
    }
  }

  /** Its words are left out where those before it reach; answers how far words reach now. */
  private double tick(Tick tick, double free) {
    double x = x(tick.at());
    double width = LETTER * tick.text().length();
    boolean atEnd = x > frame.right() - 30;
    double from = atEnd ? x - width : x - width / 2;
    rule("axis", x, frame.bottom(), x, frame.bottom() + 5);
    if (from < free) {
      return free;
    }
    words(atEnd ? "end" : "middle", x, frame.bottom() + 20, tick.text());
    return from + width + LETTER;
  }

  void legend(String css, String text) {
    double width = 36 + LETTER * text.length();
    if (legend > LEFT && legend + width > frame.width() + 10) {
      legend = LEFT;
      legendTop += LINE;
    }
    rect(css, legend, legendTop, 14, 8);
    words("start", legend + 19, legendTop + 8, text);
    legend += width;
  }

  void line(String css, List<At> points) {
    path("line " + css, through(points));
  }

  void area(String css, List<At> upper, List<At> lower) {
    path(css, through(upper) + through(lower.reversed()).replaceFirst("M", "L") + "Z");
  }

  private String through(List<At> points) {
    StringBuilder path = new StringBuilder();
    for (At point : points) {
      path.append(path.isEmpty() ? "M" : "L");
      path.append(number(x(point.x()))).append(' ').append(number(y(point.y())));
    }
    return path.toString();
  }

  void bar(String css, At lowerLeft, At upperRight, String title) {
    double left = x(lowerLeft.x()) + 0.5;
    double top = y(upperRight.y());
    marks.append("<g>");
    rect(css, left, top, Math.max(0.5, x(upperRight.x()) - left - 0.5), y(lowerLeft.y()) - top);
    marks.append("<title>").append(escaped(title)).append("</title></g>");
  }

  void probe(double from, double to, String title) {
    bar("probe", new At(from, ys.from()), new At(to, ys.to()), title);
  }

  void bar(String css, At lowerLeft, At upperRight, String title, String address) {
    leads = true;
    marks.append("<a href=\"").append(escaped(address));
    marks.append("\" aria-label=\"").append(escaped(title)).append("\">");
    bar(css, lowerLeft, upperRight, title);
    marks.append("</a>");
  }

  void level(String css, double value) {
    rule("line " + css, LEFT, y(value), frame.right(), y(value));
  }

  void level(String css, double value, String text) {
    level(css, value);
    words("end", frame.right(), y(value) - 5, text);
  }

  void upright(String css, double at) {
    rule("line " + css, x(at), frame.top(), x(at), frame.bottom());
  }

  void dot(String css, At at) {
    marks.append("<circle class=\"").append(css);
    marks.append("\" cx=\"").append(number(x(at.x())));
    marks.append("\" cy=\"").append(number(y(at.y()))).append("\" r=\"6\"/>");
  }

  void note(At at, String text) {
    if (x(at.x()) > LEFT + ROOM) {
      words("end", x(at.x()) - 9, y(at.y()) - 9, text);
    } else {
      words("start", x(at.x()) + 11, y(at.y()) + 16, text);
    }
  }

  private void rule(String css, double x1, double y1, double x2, double y2) {
    String from = "M" + number(x1) + " " + number(y1);
    path(css, from + "L" + number(x2) + " " + number(y2));
  }

  private void path(String css, String d) {
    marks.append("<path class=\"").append(css).append("\" d=\"").append(d).append("\"/>");
  }

  private void rect(String css, double x, double y, double width, double height) {
    marks.append("<rect class=\"").append(css);
    marks.append("\" x=\"").append(number(x)).append("\" y=\"").append(number(y));
    marks.append("\" width=\"").append(number(width));
    marks.append("\" height=\"").append(number(Math.max(0, height))).append("\"/>");
  }

  private void words(String anchor, double x, double y, String text) {
    marks.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
    marks.append("\" text-anchor=\"").append(anchor).append("\">");
    marks.append(escaped(text)).append("</text>");
  }

  String svg(String label) {
    // What is one image to a reader's aid has no links in it.
    return "<svg class=\"chart %s\" viewBox=\"0 0 %s %s\" role=\"%s\" aria-label=\"%s\">%s</svg>"
        .formatted(
            frame.css(),
            number(frame.width()),
            number(frame.height()),
            leads ? "group" : "img",
            escaped(label),
            marks);
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
