package dev.ebb.api.stats;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.db.stats.Counts;
import dev.ebb.db.stats.Overview;
import dev.ebb.db.stats.QueueStat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows how the queues stand. */
public final class OverviewResource {
  private OverviewResource() {}

  /** How queues stand. */
  public static StatsOverview of(Overview overview) {
    Instant now = overview.now();
    return new StatsOverview(
        Answer.shown(overview.asOf()),
        overview.complete(),
        Answer.shownOrNull(overview.exactSince()),
        standing(null, overview.all(), now),
        overview.queues().stream().map(one -> standing(one.queue(), one, now)).toList(),
        overview.next());
  }

  private static QueueStanding standing(@Nullable String name, QueueStat queue, Instant now) {
    return new QueueStanding(
        name,
        queue.jobs(),
        queue.deadLetters(),
        queue.inFlight(),
        queue.oldestDue(),
        List.of(
            recent(1, now, queue.last().one()),
            recent(5, now, queue.last().five()),
            recent(15, now, queue.last().fifteen())));
  }

  private static QueueStanding.LastMinutes recent(int minutes, Instant now, Counts counts) {
    Instant from = now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(minutes));
    return new QueueStanding.LastMinutes(minutes, from, CountsResource.of(counts));
  }
}
