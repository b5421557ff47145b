package dev.ebb.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** The drain as bars on a logarithmic scale, readable on light and on dark pages. */
final class Plot {
  private static final int WIDTH = 760;
  private static final int LEFT = 120;
  private static final int RIGHT = 90;
  private static final int BAR = 22;
  private static final int GAP = 8;
  private static final int HEAD = 34;
  private static final int FOOT = 30;

  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f }
        .head { font-weight: 600 }
        .tick { font-size: 11px; fill: #57606a }
        .grid { stroke: #d0d7de }
        .bar { fill: #8c959f }
        .ebb { fill: #0969da }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          .tick { fill: #8b949e }
          .grid { stroke: #30363d }
          .bar { fill: #6e7681 }
          .ebb { fill: #4493f8 }
        }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();

  private Plot() {}

  static String of(Medians medians, Map<String, String> titles) {
    Map<String, Double> rates = values(medians, titles, Figure.RATE);
    Map<String, Double> costs = values(medians, titles, Figure.CPU);
    int height = height(rates) + height(costs);
    Plot plot = new Plot();
    plot.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\">"
            .formatted(WIDTH, height));
    plot.add("<title>Drain of no-op jobs, one node</title>");
    plot.svg.append(STYLE);
    plot.panel(0, "jobs per second: more is better", rates, titles);
    plot.panel(
        height(rates), "CPU per job, µs, PostgreSQL and node: less is better", costs, titles);
    plot.svg.append("</svg>\n");
    return plot.svg.toString();
  }

  private static Map<String, Double> values(
      Medians medians, Map<String, String> titles, Figure figure) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String entrant : titles.keySet()) {
      OptionalDouble value = medians.median("drain", entrant, figure);
      value.ifPresent(found -> values.put(entrant, found));
    }
    return values;
  }

  private static int height(Map<String, Double> values) {
    return HEAD + values.size() * (BAR + GAP) + FOOT;
  }

  private void panel(int top, String head, Map<String, Double> values, Map<String, String> titles) {
    add("<text class=\"head\" x=\"0\" y=\"%s\">%s</text>".formatted(top + 18, escaped(head)));
    if (values.isEmpty()) {
      return;
    }
    int first = (int) Math.floor(Math.log10(smallest(values)));
    int last = Math.max(first + 1, (int) Math.ceil(Math.log10(largest(values))));
    int bottom = top + HEAD + values.size() * (BAR + GAP);
    for (int decade = first; decade <= last; decade++) {
      int x = x(Math.pow(10, decade), first, last);
      add(
          "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
              .formatted(x, x, top + HEAD - 4, bottom));
      add(
          "<text class=\"tick\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>"
              .formatted(x, bottom + 14, Range.number(Math.pow(10, decade), Math.max(0, -decade))));
    }
    int y = top + HEAD;
    for (Map.Entry<String, Double> bar : values.entrySet()) {
      bar(y, bar.getKey(), bar.getValue(), x(bar.getValue(), first, last), titles);
      y += BAR + GAP;
    }
  }

  private void bar(int y, String entrant, double value, int end, Map<String, String> titles) {
    int middle = y + BAR / 2 + 5;
    add(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>"
            .formatted(LEFT - 8, middle, escaped(titles.getOrDefault(entrant, entrant))));
    add(
        "<rect class=\"bar%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\"/>"
            .formatted(entrant.equals("ebb") ? " ebb" : "", LEFT, y, Math.max(1, end - LEFT), BAR));
    add(
        "<text x=\"%s\" y=\"%s\">%s</text>"
            .formatted(
                Math.max(LEFT + 1, end) + 6, middle, Range.number(value, value < 100 ? 1 : 0)));
  }

  private static int x(double value, int first, int last) {
    double share = (Math.log10(value) - first) / (last - first);
    return LEFT + (int) Math.round((WIDTH - LEFT - RIGHT) * share);
  }

  private static double smallest(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  private static double largest(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String element) {
    svg.append(element).append('\n');
  }
}
