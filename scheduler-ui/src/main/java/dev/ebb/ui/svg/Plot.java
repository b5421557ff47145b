package dev.ebb.ui.svg;

import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.svg.PlotSheet.Scale;
import dev.ebb.ui.svg.PlotSheet.Tick;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Consumer;

/**
 * A drawing with two axes, whose marks are given in the axes' own units. It is drawn twice, as wide
 * as a card and as narrow as a phone, and the style sheet shows the one that fits.
 */
final class Plot {
  private final List<PlotSheet> sheets;

  Plot(double xFrom, double xTo, double yFrom, double yTo) {
    Scale x = new Scale(xFrom, xTo);
    Scale y = new Scale(yFrom, yTo);
    sheets = List.of(new PlotSheet(PlotSheet.WIDE, x, y), new PlotSheet(PlotSheet.NARROW, x, y));
  }

  private void each(Consumer<PlotSheet> drawing) {
    sheets.forEach(drawing);
  }

  void axes(List<Tick> onX, List<Tick> onY) {
    each(sheet -> sheet.axes(onX, onY));
  }

  /** Says above the drawing what marks of a class are. */
  void legend(String css, String text) {
    each(sheet -> sheet.legend(css, text));
  }

  void line(String css, List<At> points) {
    if (!points.isEmpty()) {
      each(sheet -> sheet.line(css, points));
    }
  }

  /** The area between two lines. */
  void area(String css, List<At> upper, List<At> lower) {
    if (!upper.isEmpty()) {
      each(sheet -> sheet.area(css, upper, lower));
    }
  }

  /**
   * What a reader sees by pointing at a step: its row of the table. A phone has the table alone.
   *
   * @param steps when each begins
   * @param length of each
   */
  void probes(List<Instant> steps, Duration length, List<String> heads, List<List<String>> rows) {
    for (int step = 0; step < steps.size(); step++) {
      double from = steps.get(step).getEpochSecond();
      sheets.getFirst().probe(from, from + length.toSeconds(), words(heads, rows.get(step)));
    }
  }

  private static String words(List<String> heads, List<String> row) {
    StringJoiner words = new StringJoiner(", ", "From " + row.getFirst() + " UTC: ", "");
    for (int cell = 1; cell < row.size(); cell++) {
      words.add(heads.get(cell).toLowerCase(Locale.ROOT) + " " + row.get(cell));
    }
    return words.toString();
  }

  /** A bar with what a reader sees by pointing at it. */
  void bar(String css, At lowerLeft, At upperRight, String title) {
    each(sheet -> sheet.bar(css, lowerLeft, upperRight, title));
  }

  /** The same that leads to an address. */
  void bar(String css, At lowerLeft, At upperRight, String title, String address) {
    each(sheet -> sheet.bar(css, lowerLeft, upperRight, title, address));
  }

  /** A level all the way across. */
  void level(String css, double value) {
    each(sheet -> sheet.level(css, value));
  }

  /** The same with its name above it. */
  void level(String css, double value, String text) {
    each(sheet -> sheet.level(css, value, text));
  }

  void upright(String css, double at) {
    each(sheet -> sheet.upright(css, at));
  }

  void dot(String css, At at) {
    each(sheet -> sheet.dot(css, at));
  }

  /** Text beside a point: above a line that rises towards it, where there is room. */
  void note(At at, String text) {
    each(sheet -> sheet.note(at, text));
  }

  /** Both drawings. */
  String svg(String label) {
    StringBuilder svg = new StringBuilder();
    each(sheet -> svg.append(sheet.svg(label)));
    return svg.toString();
  }
}
