package dev.ebb.api.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Paged;
import dev.ebb.db.stats.Counts;
import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.QueueStat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the queues stand, as answers show it.
 *
 * @param exactSince absent if some nodes may not count what they do
 * @param nextCursor of the next page; absent at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OverviewResource(
    Instant asOf,
    boolean complete,
    @Nullable Instant exactSince,
    Standing all,
    List<Standing> items,
    @Nullable String nextCursor)
    implements Paged {

  /**
   * A queue, or all of them.
   *
   * @param queue absent for all
   * @param oldestDueAge absent without a job that is due and waits
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Standing(
      @Nullable String queue,
      long jobs,
      long deadLetters,
      long inFlight,
      @Nullable String oldestDueAge,
      List<Recent> recent) {

    static Standing of(@Nullable String name, QueueStat queue, Instant now) {
      Duration oldest = queue.oldestDue();
      return new Standing(
          name,
          queue.jobs(),
          queue.deadLetters(),
          queue.inFlight(),
          oldest == null ? null : oldest.toString(),
          List.of(
              Recent.of(1, now, queue.last().one()),
              Recent.of(5, now, queue.last().five()),
              Recent.of(15, now, queue.last().fifteen())));
    }
  }

  /** What was counted since the beginning of the minute so many minutes ago. */
  record Recent(int minutes, Instant from, Map<String, Long> counts) {
    static Recent of(int minutes, Instant now, Counts counts) {
      Instant from = now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(minutes));
      return new Recent(minutes, from, CountsResource.of(counts));
    }
  }

  static OverviewResource of(Overview overview) {
    Instant now = overview.now();
    return new OverviewResource(
        Answer.shown(overview.asOf()),
        overview.complete(),
        Answer.shownOrNull(overview.exactSince()),
        Standing.of(null, overview.all(), now),
        overview.queues().stream().map(one -> Standing.of(one.queue(), one, now)).toList(),
        overview.next());
  }
}
