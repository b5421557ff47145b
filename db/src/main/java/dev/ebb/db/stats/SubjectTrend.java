package dev.ebb.db.stats;

import dev.ebb.core.stats.Proportion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many attempts failed for a subject lately, and before.
 *
 * @param subject {@code null} for all that found no place
 * @param points minutes in which something was counted, oldest first
 */
public record SubjectTrend(
    @Nullable String subject, Proportion before, Proportion now, List<Point> points) {
  /** What ended in a minute. */
  public record Point(Instant at, long attempts, long failed) {}

  static SubjectTrend none() {
    return new SubjectTrend(null, new Proportion(0, 0), new Proportion(0, 0), List.of());
  }

  /** The points of arrays of as many minutes since the epoch, attempts and failures. */
  static List<Point> points(Long[] minutes, Long[] attempts, Long[] failed) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < minutes.length; i++) {
      points.add(new Point(Instant.ofEpochSecond(60 * minutes[i]), attempts[i], failed[i]));
    }
    return points;
  }

  /** By how much the failing share has risen at least; negative where that is not sure. */
  public double riseAtLeast() {
    return now.riseAtLeast(before).orElse(-1);
  }
}
