package dev.ebb.ui.svg;

import dev.ebb.contract.WorseningSubject.Point;
import dev.ebb.ui.words.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws the failing share of each minute of the last hour as a bar, from none up to all. A minute
 * in which nothing failed has a tick alone, one in which nothing ended has nothing.
 */
public final class FailingBars {
  private static final int MINUTES = 60;
  private static final double STEP = 160.0 / MINUTES;
  private static final double WIDTH = 2;
  private static final double FLOOR = 33;
  private static final double HEIGHT = 32;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private FailingBars() {}

  /** The bars up to the minute of {@code asOf}. */
  public static String of(List<Point> points, Instant asOf) {
    StringBuilder ticks = new StringBuilder();
    StringBuilder bars = new StringBuilder();
    Instant last = asOf.truncatedTo(ChronoUnit.MINUTES);
    for (Point point : points) {
      long place = MINUTES - 1 - Duration.between(point.at(), last).toMinutes();
      if (place >= 0 && place < MINUTES && point.attempts() > 0) {
        append(ticks, bars, place * STEP, share(point));
      }
    }
    String label = PlotSheet.escaped(words(points));
    return "<svg class=\"chart spark\" viewBox=\"0 0 160 34\" preserveAspectRatio=\"none\""
        + " role=\"img\" aria-label=\"%s\"><title>%s</title>".formatted(label, label)
        + "<path class=\"ticks\" d=\"%s\"/><path class=\"bad\" d=\"%s\"/></svg>"
            .formatted(ticks, bars);
  }

  private static void append(StringBuilder ticks, StringBuilder bars, double x, double share) {
    ticks.append(String.format(Locale.ROOT, "M%.1f %.1fh%.1f", x, FLOOR, WIDTH));
    if (share > 0) {
      bars.append(
          String.format(
              Locale.ROOT,
              "M%.1f %.1fV%.1fh%.1fV%.1fz",
              x,
              FLOOR,
              FLOOR - HEIGHT * share,
              WIDTH,
              FLOOR));
    }
  }

  private static double share(Point point) {
    return point.attempts() == 0 ? 0 : (double) point.failed() / point.attempts();
  }

  private static String words(List<Point> points) {
    return "Failing share by minute in the last hour"
        + points.stream()
            .max(Comparator.comparingDouble(FailingBars::share))
            .map(most -> ", highest at " + TIME.format(most.at()) + ": " + percent(most))
            .orElse(": nothing ended");
  }

  private static String percent(Point point) {
    return Words.percent(share(point));
  }
}
