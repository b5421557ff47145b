package dev.ebb.ui.svg;

import dev.ebb.contract.DestinationHealth.LastDay;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The failing share of each quarter of an hour of a day, each a cell: pale where nothing ended,
 * green where nothing failed, and the redder the more failed.
 */
public final class HeatStrip {
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final int CELLS = 96;
  private static final int STEP = 10;
  private static final int HEIGHT = 24;

  /** From these shares on, a cell is redder. */
  private static final double[] SHARES = {0.02, 0.2, 0.5, 0.9};

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final List<Cell> cells;

  public HeatStrip(LastDay day) {
    this.cells = cells(day);
  }

  /** A quarter of an hour. */
  private record Cell(Instant from, long failed, long ended) {
    double share() {
      return ended == 0 ? 0 : (double) failed / ended;
    }

    String look() {
      if (ended == 0) {
        return "heat-none";
      }
      int heat = 0;
      while (heat < SHARES.length && share() >= SHARES[heat]) {
        heat++;
      }
      return "heat-" + heat;
    }

    String words() {
      return TIME.format(from)
          + "–"
          + TIME.format(from.plus(QUARTER))
          + " UTC: "
          + (ended == 0
              ? "nothing ended"
              : Words.number(failed) + " of " + Words.counted(ended, "attempt") + " failed");
    }
  }

  /** The drawing, each cell of which tells its figures. */
  public String svg() {
    StringBuilder svg = begin();
    for (int i = 0; i < cells.size(); i++) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%d\" width=\"%d\" height=\"%d\"><title>%s</title></rect>",
              cells.get(i).look(),
              i * STEP,
              STEP - 1,
              HEIGHT,
              PlotSheet.escaped(cells.get(i).words())));
    }
    return svg.append("</svg>").toString();
  }

  /** The same for a row of many: a path for all cells that look alike. */
  public String small() {
    Map<String, StringBuilder> paths = new TreeMap<>();
    for (int i = 0; i < cells.size(); i++) {
      paths
          .computeIfAbsent(cells.get(i).look(), _ -> new StringBuilder())
          .append(
              String.format(Locale.ROOT, "M%1$d 0h%2$dv%3$dh-%2$dz", i * STEP, STEP - 1, HEIGHT));
    }
    StringBuilder svg = begin();
    paths.forEach((look, path) ->
        svg.append("<path class=\"").append(look).append("\" d=\"").append(path).append("\"/>"));
    return svg.append("</svg>").toString();
  }

  private StringBuilder begin() {
    return new StringBuilder("<svg class=\"chart heat\" viewBox=\"0 0 ")
        .append(CELLS * STEP)
        .append(' ')
        .append(HEIGHT)
        .append("\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
        .append(PlotSheet.escaped(summary()))
        .append("\">");
  }

  /** The same in words. */
  public String summary() {
    long ended = cells.stream().mapToLong(Cell::ended).sum();
    long failed = cells.stream().mapToLong(Cell::failed).sum();
    if (ended == 0) {
      return "Nothing ended in the last 24 hours.";
    }
    String all =
        "In the last 24 hours, %s of %s failed"
            .formatted(Words.number(failed), Words.counted(ended, "attempt"));
    return failed == 0
        ? all + "."
        : all
            + ", most at "
            + cells.stream()
                .max(Comparator.comparingDouble(Cell::share))
                .map(Cell::words)
                .orElse("")
            + ".";
  }

  private static List<Cell> cells(LastDay day) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < day.attempts().size(); i++) {
      Instant from = day.from().plus(QUARTER.multipliedBy(i));
      cells.add(new Cell(from, day.failed().get(i), day.attempts().get(i)));
    }
    return cells;
  }
}
