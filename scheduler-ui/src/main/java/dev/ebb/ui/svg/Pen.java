package dev.ebb.ui.svg;

/** Writes shapes and text; every text is escaped, everything else is a number or a word of ours. */
final class Pen {
  private final StringBuilder svg = new StringBuilder();

  Pen(String classes, int width, int height, String label) {
    String box = "0 0 " + width + " " + height;
    open("svg", "chart " + classes, "viewBox", box, "role", "img", "aria-label", escaped(label));
    svg.append(" width=\"%s\" height=\"%s\">".formatted(width, height));
  }

  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** To a tenth. */
  private static String number(double number) {
    return String.valueOf(Math.round(number * 10) / 10.0).replaceFirst("\\.0$", "");
  }

  /** An element without an end of its own; names and values in turn. */
  private void open(String element, String classes, String... attributes) {
    svg.append('<').append(element).append(" class=\"").append(classes).append('"');
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      svg.append(' ').append(attributes[i]).append("=\"").append(attributes[i + 1]).append('"');
    }
  }

  void line(String classes, double x1, double y1, double x2, double y2) {
    open("path", classes, "d", "M" + point(x1, y1) + "L" + point(x2, y2));
    svg.append("/>");
  }

  private static String point(double x, double y) {
    return number(x) + " " + number(y);
  }

  void box(String classes, double x, double y, double width, double height) {
    open("rect", classes, "x", number(x), "y", number(y), "rx", "2");
    svg.append(" width=\"").append(number(width));
    svg.append("\" height=\"").append(number(height)).append("\"/>");
  }

  /** A closed shape around a point, its corners as x and y in turn. */
  void shape(String classes, double x, double y, double... corners) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i + 1 < corners.length; i += 2) {
      path.append(i == 0 ? 'M' : 'L').append(point(x + corners[i], y + corners[i + 1]));
    }
    open("path", classes, "d", path.append('Z').toString());
    svg.append("/>");
  }

  void dot(String classes, double x, double y, double radius) {
    open("circle", classes, "cx", number(x), "cy", number(y), "r", number(radius));
    svg.append("/>");
  }

  /**
   * A text.
   *
   * @param anchor start, middle or end
   */
  void text(String anchor, double x, double y, String text) {
    open("text", anchor, "x", number(x), "y", number(y), "text-anchor", anchor);
    svg.append('>').append(escaped(text)).append("</text>");
  }

  @Override
  public String toString() {
    return svg + "</svg>";
  }
}
