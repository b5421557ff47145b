package dev.ebb.db.view;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list, newest first. It may be short, even empty, before the end: the cost of a page
 * is bounded, not its yield.
 *
 * @param jobs without their payloads
 * @param next only older jobs are on the next page; {@code null} at the end
 */
public record JobPage(List<JobView> jobs, @Nullable UUID next, Looked looked) {
  /**
   * How far the page looked, at most: one that came full may have found its jobs earlier.
   *
   * @param jobs how many it looked at
   * @param backTo when the oldest of them was submitted; {@code null} if there was none
   */
  public record Looked(int jobs, @Nullable Instant backTo) {}
}
