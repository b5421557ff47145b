package dev.ebb.bench.ramp;

import java.util.List;
import java.util.Map;

/** The calls of each second as an SVG, readable on light and on dark pages. */
public final class RampPlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 360;
  private static final int LEFT = 44;
  private static final int RIGHT = 16;
  private static final int TOP = 92;
  private static final int BOTTOM = 40;
  private static final List<String> CLASSES = List.of("ebb", "guava", "sentinel");

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f }
        .tick { font-size: 11px; fill: #57606a }
        .grid { stroke: #d0d7de }
        .line { fill: none; stroke-width: 2 }
        .form { stroke: #24292f; stroke-dasharray: 2 4 }
        .ebb { stroke: #0969da; stroke-width: 3 }
        .guava { stroke: #1a7f37 }
        .sentinel { stroke: #bc4c00 }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          .tick { fill: #8b949e }
          .grid { stroke: #30363d }
          .form { stroke: #e6edf3 }
          .ebb { stroke: #4493f8 }
          .guava { stroke: #3fb950 }
          .sentinel { stroke: #f0883e }
        }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final int seconds;
  private final double most;

  private RampPlot(int seconds, double most) {
    this.seconds = seconds;
    this.most = most;
  }

  /** Draws the rates. */
  public static String of(Ramp.Rates rates) {
    double most =
        rates.measured().values().stream().flatMap(List::stream).mapToInt(i -> i).max().orElse(1);
    RampPlot plot = new RampPlot(rates.closedForm().size(), 50 * Math.ceil(most / 50));
    plot.add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %s %s' role='img'>"
            .formatted(WIDTH, HEIGHT));
    plot.add("<title>Starts in each second from cold: 200 a second after ten seconds</title>");
    plot.svg.append(STYLE);
    plot.grid();
    plot.line(0, "form", "closed form", rates.closedForm());
    int place = 1;
    for (Map.Entry<String, List<Integer>> one : rates.measured().entrySet()) {
      List<Double> values = one.getValue().stream().map(Integer::doubleValue).toList();
      plot.line(place, CLASSES.get(place - 1), one.getKey(), values);
      place++;
    }
    plot.add("</svg>");
    return plot.svg.toString();
  }

  private void grid() {
    for (int rate = 0; rate <= most; rate += 50) {
      int y = y(rate);
      add(
          "<line class='grid' x1='%s' x2='%s' y1='%s' y2='%s'/>"
              .formatted(LEFT, WIDTH - RIGHT, y, y));
      add(
          "<text class='tick' x='%s' y='%s' text-anchor='end'>%s</text>"
              .formatted(LEFT - 6, y + 4, rate));
    }
    for (int second = 1; second <= seconds; second += 2) {
      add(
          "<text class='tick' x='%s' y='%s' text-anchor='middle'>%s</text>"
              .formatted(x(second - 1), HEIGHT - BOTTOM + 18, second));
    }
    add(
        "<text class='tick' x='%s' y='%s' text-anchor='end'>second; starts in it</text>"
            .formatted(WIDTH - RIGHT, HEIGHT - 6));
  }

  private void line(int place, String name, String title, List<Double> values) {
    int left = LEFT + place % 2 * (WIDTH / 2);
    int top = 22 + place / 2 * 24;
    add(
        "<line class='line %s' x1='%s' x2='%s' y1='%s' y2='%s'/>"
            .formatted(name, left, left + 28, top - 4, top - 4));
    add("<text x='%s' y='%s'>%s</text>".formatted(left + 36, top, title));
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      points.append(x(i)).append(',').append(y(values.get(i))).append(' ');
    }
    add("<polyline class='line %s' points='%s'/>".formatted(name, points.toString().strip()));
  }

  private int x(int second) {
    return LEFT + (WIDTH - LEFT - RIGHT) * second / Math.max(1, seconds - 1);
  }

  private int y(double rate) {
    return (int) Math.round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * rate / most);
  }

  private void add(String element) {
    svg.append(element).append('\n');
  }
}
