package dev.ebb.db.stats;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was counted, step by step, oldest first; steps in which nothing was counted are left out.
 *
 * @param asOf nothing that was counted until then is missing
 * @param complete whether everything that was counted is in: otherwise the newest is left out,
 *     because too much of it is not summed up yet
 * @param exactSince since when every node counts what it does; {@code null} if some may not
 */
public record Series(
    Instant asOf, boolean complete, @Nullable Instant exactSince, List<Point> points) {
  /** What was counted from then on for a step. */
  public record Point(Instant at, Counts counts) {}
}
