package dev.ebb.db.view;

import dev.ebb.core.query.JobOrder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list. It may be short, even empty, before the end: the cost of a page is bounded, not
 * its yield.
 *
 * @param jobs with their payloads where they were asked for
 * @param next only jobs beyond it are on the next page; {@code null} at the end
 */
public record JobPage(List<JobView> jobs, @Nullable UUID next, SearchReach looked) {
  /**
   * How far the page looked, at most: one that came full may have found its jobs earlier.
   *
   * @param jobs how many it looked at
   * @param farthest when the last of them was submitted; {@code null} if there was none
   */
  public record SearchReach(int jobs, @Nullable Instant farthest) {}

  /**
   * Which page is asked for.
   *
   * @param payloads whether the jobs have theirs: then the page ends with the one that brings these
   *     to {@link JobReads#MOST_PAYLOAD_BYTES}
   * @param after only jobs beyond this id; {@code null} for the first page
   * @param limit of jobs
   */
  public record PageRequest(JobOrder order, boolean payloads, @Nullable UUID after, int limit) {
    /** The newest below an id, without payloads. */
    static PageRequest newest(@Nullable UUID before, int limit) {
      return new PageRequest(JobOrder.NEWEST, false, before, limit);
    }
  }
}
