package dev.ebb.ui.svg;

import dev.ebb.contract.AttemptForecast;
import dev.ebb.ui.svg.JobStory.Row;
import java.time.Duration;
import java.time.Instant;

/**
 * The timeline of a job: a row for each attempt, over the logarithm of the time since the first.
 *
 * <pre>
 *   1  ●━                             failed, 230 ms
 *   2    ●━                           failed, 200 ms
 *   3        │  ◆                     19:42:10
 *   4        │     ▒▒▒▒│▒▒▒▒          19:43–19:58
 *   gives up │            ░░░░│░░░░   20:10–21:15
 *           now
 * </pre>
 *
 * <p>Every row's words stand in a column of their own, so no two ever meet.
 */
public final class JobTimeline {
  private static final int ROW = 22;
  private static final int TOP = 22;
  private static final int BOTTOM = 24;
  private static final double LETTER = 6.4;
  private static final int TICKS = 46;

  /** Half of what the word now takes. */
  private static final int NOW = 16;

  private static final String GIVES_UP = "gives up";
  private static final double GIVES_UP_WIDTH = GIVES_UP.length() * LETTER;

  private final JobStory story;
  private final boolean phone;
  private final int width;
  private final int left;
  private final int right;
  private final LogTime axis;
  private final Pen pen;

  private JobTimeline(JobStory story, boolean phone) {
    this.story = story;
    this.phone = phone;
    this.width = phone ? 340 : 980;
    this.left = phone ? 30 : 64;
    this.right = width - (phone ? 122 : 270);
    this.axis = new LogTime(left + 6.0, right - 8.0, story.first(), story.longest());
    int height = TOP + ROW * story.rows().size() + BOTTOM;
    this.pen = new Pen(phone ? "for-phone" : "for-wide", width, height, story.label());
  }

  /** As SVG, to be read at its own width: 980, or 340 for phones. */
  public static String draw(JobStory story, boolean phone) {
    return new JobTimeline(story, phone).draw();
  }

  private String draw() {
    double bottom = TOP + (double) ROW * story.rows().size();
    grid(bottom);
    double y = TOP + ROW / 2.0;
    for (Row row : story.rows()) {
      row(row, y);
      y += ROW;
    }
    if (story.showsNow()) {
      now(bottom);
    }
    return pen.toString();
  }

  private void grid(double bottom) {
    pen.line("axis", left, bottom, right, bottom);
    pen.text("start", left, bottom + 16, "0");
    for (LogTime.Tick tick : axis.ticks(TICKS)) {
      pen.line("axis", tick.x(), TOP, tick.x(), bottom);
      pen.text("middle", tick.x(), bottom + 16, tick.label());
    }
  }

  private void now(double bottom) {
    double x = x(story.now());
    pen.line("now", x, TOP - 4.0, x, bottom);
    pen.text("middle", nowText(), TOP - 8.0, "now");
  }

  /** The middle of the word now. */
  private double nowText() {
    return Math.clamp(x(story.now()), left + 12.0, right - 12.0);
  }

  private double x(Instant at) {
    return axis.x(Duration.between(story.origin(), at));
  }

  private void row(Row row, double y) {
    pen.text("start", 0, y + 4, fitted(row.name(phone), left - 4.0));
    pen.text("start", right + 8.0, y + 4, fitted(row.text(phone), width - right - 8.0));
    switch (row) {
      case Row.Past past -> past(past, y);
      case Row.Next next -> pen.shape("next", x(next.at()), y, 0, -7, 6, 0, 0, 7, -6, 0);
      case Row.Coming coming -> band("band", coming.at(), y);
      case Row.End end -> end(end, y);
      case Row.Skipped _ -> pen.line("skipped", left, y, right, y);
    }
  }

  private void past(Row.Past past, double y) {
    double x = x(past.from());
    String colour = colour(past.word());
    double until = Math.max(x + 2, x(past.until()));
    pen.box(colour, x, y - 2, until - x, 4);
    switch (past.word()) {
      case "completed" -> pen.dot(colour, x, y, 5.5);
      case "failed" ->
          pen.shape(
              colour, x, y, -6, -4, -4, -6, 0, -2, 4, -6, 6, -4, 2, 0, 6, 4, 4, 6, 0, 2, -4, 6, -6,
              4, -2, 0);
      case "throttled" -> pen.shape(colour, x, y, 0, -6, 6, 5, -6, 5);
      case "fatal" -> pen.shape(colour, x, y, -5, -5, 5, -5, 5, 5, -5, 5);
      case "running" -> pen.shape(colour, x, y, -4, -6, 6, 0, -4, 6);
      default -> pen.dot("ring", x, y, 4.5);
    }
  }

  private static String colour(String outcome) {
    return switch (outcome) {
      case "completed" -> "good";
      case "failed", "fatal" -> "bad";
      case "throttled" -> "warn";
      default -> "info";
    };
  }

  private void band(String classes, AttemptForecast.Range at, double y) {
    double from = x(at.p10());
    pen.box(classes, from, y - 6, Math.max(3, x(at.p90()) - from), 12);
    pen.line("middle", x(at.p50()), y - 7, x(at.p50()), y + 7);
  }

  private void end(Row.End end, double y) {
    double x = x(end.at().p50());
    pen.line("given-up", x, TOP, x, y + ROW / 2.0);
    label(x);
    band("last", end.at(), y);
  }

  /**
   * Says what the line is, beside what the one of now says: on the line's side of it, but where the
   * words would begin before the drawing. Behind the axis there is room for them.
   */
  private void label(double x) {
    double now = story.showsNow() ? nowText() : x;
    double end = Math.min(x, now - NOW);
    if (x < now && end >= GIVES_UP_WIDTH) {
      pen.text("end", end, TOP - 8.0, GIVES_UP);
    } else {
      double start = story.showsNow() ? Math.max(x, now + NOW) : x;
      pen.text("start", start, TOP - 8.0, GIVES_UP);
    }
  }

  private static String fitted(String text, double width) {
    int most = (int) (width / LETTER);
    return text.length() <= most ? text : text.substring(0, Math.max(0, most - 1)) + "…";
  }
}
