package dev.ebb.ui.svg;

import dev.ebb.contract.ScheduleFire;
import dev.ebb.ui.words.ScheduleWords;
import dev.ebb.ui.words.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Draws the last fires of a schedule side by side, the newest at the right. What became of one is
 * told by its height and its sign, and only besides by its colour.
 *
 * <pre>
 *   full: ended   half: to run, runs, waits   low: made no job   cross: failed   dot: missed some
 * </pre>
 */
public final class RunStrip {
  private static final int STEP = 10;
  private static final int HEIGHT = 24;
  private static final int FLOOR = 23;

  private RunStrip() {}

  /** The strip of the fires, which are given newest first. */
  public static String of(List<ScheduleFire> fires) {
    int width = Math.max(1, fires.size()) * STEP;
    StringBuilder svg = new StringBuilder();
    svg.append("<svg class=\"chart runs\" viewBox=\"0 0 %s %s\"".formatted(width, HEIGHT));
    svg.append(" width=\"%s\" height=\"%s\" role=\"img\"".formatted(width, HEIGHT));
    svg.append(" aria-label=\"").append(PlotSheet.escaped(words(fires))).append("\">");
    svg.append("<title>").append(PlotSheet.escaped(words(fires))).append("</title>");
    List<ScheduleFire> oldestFirst = fires.reversed();
    for (int i = 0; i < oldestFirst.size(); i++) {
      append(svg, oldestFirst.get(i), i * STEP + 1);
    }
    return svg.append("</svg>").toString();
  }

  /** The same in words. */
  public static String words(List<ScheduleFire> fires) {
    if (fires.isEmpty()) {
      return "No fires yet";
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    fires.forEach(fire -> counts.merge(ScheduleWords.outcome(fire), 1, Integer::sum));
    String parts =
        counts.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", "));
    return (fires.size() == 1 ? "Last run: " : "Last " + fires.size() + " runs: ") + parts;
  }

  private static void append(StringBuilder svg, ScheduleFire fire, int x) {
    String outcome = fire.outcome();
    int top = top(outcome);
    svg.append("<g class=\"run ").append(look(outcome)).append("\"><title>");
    svg.append(PlotSheet.escaped(title(fire))).append("</title>");
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\" rx=\"2\"/>",
            x,
            top,
            FLOOR - top));
    if (outcome.equals("dead_letter") || outcome.equals("refused")) {
      int middle = (top + FLOOR) / 2;
      svg.append("<path class=\"cross\" d=\"M%s %sl4 4m0 -4l-4 4\"/>".formatted(x + 2, middle - 2));
    }
    if (fire.missed() > 0) {
      svg.append("<circle class=\"missed\" cx=\"%s\" cy=\"3\" r=\"2\"/>".formatted(x + 4));
    }
    svg.append("</g>");
  }

  private static String title(ScheduleFire fire) {
    String missed = ScheduleWords.missed(fire);
    return Words.exact(fire.fireAt())
        + ": "
        + ScheduleWords.outcome(fire)
        + (missed.isEmpty() ? "" : ", " + missed)
        + (fire.byHand() ? ", run by hand" : "");
  }

  private static int top(String outcome) {
    return switch (outcome) {
      case "completed", "dead_letter", "cancelled", "gone" -> 7;
      case "duplicate", "overlapped", "misfired" -> 18;
      default -> 13;
    };
  }

  /** The class of its colour: a plain word. */
  private static String look(String outcome) {
    return switch (outcome) {
      case "completed" -> "good";
      case "dead_letter", "refused" -> "bad";
      case "misfired" -> "warn";
      case "running", "available" -> "info";
      case "waiting" -> "hollow";
      default -> "plain";
    };
  }
}
