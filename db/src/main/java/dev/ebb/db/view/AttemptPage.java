package dev.ebb.db.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a job's attempts, oldest first. It ends after as many attempts as were asked for, or
 * after the one that fills a mebibyte of details.
 *
 * @param next where the next page begins; {@code null} at the end
 * @param goneBefore attempts that ended before are no longer kept, but for one that ended the job;
 *     {@code null} where the job is younger
 */
public record AttemptPage(
    List<AttemptView> attempts, @Nullable Position next, @Nullable Instant goneBefore) {
  public AttemptPage {
    attempts = List.copyOf(attempts);
  }

  /**
   * A place in the list, behind the attempt that started and ended then. An attempt's number is no
   * such place: that of an attempt that was given back is used again.
   *
   * @param endedAt {@code null} while it runs
   */
  public record Position(Instant startedAt, @Nullable Instant endedAt) {}
}
