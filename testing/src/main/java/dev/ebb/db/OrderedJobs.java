package dev.ebb.db;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.connection.Database;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.submit.Submitted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Jobs of an ordering key as a worker leaves them whose first one failed. */
public final class OrderedJobs {
  private static final String KIND = "ordered";

  private OrderedJobs() {}

  /**
   * Submits some to a queue that has no others, and answers their ids. The first has failed, and is
   * due again in an hour; the others are parked.
   */
  public static List<UUID> block(Database database, String queue, String key, int many)
      throws SQLException {
    JobQueue jobs = new JobQueue(database);
    NewJob job = NewJob.builder(KIND, "{}").queue(queue).orderingKey(key).build();
    List<Submitted> submitted = jobs.submit(Collections.nCopies(many, job));
    ClaimRequest all = ClaimRequest.of(queue, "node", List.of(KIND), many, Duration.ofMinutes(1));
    fail(jobs, jobs.claim(all).orElseThrow().jobs().getFirst());
    if (jobs.claim(all).isPresent()) {
      throw new IllegalStateException("the others run");
    }
    return submitted.stream().map(Submitted::id).toList();
  }

  private static void fail(JobQueue jobs, ClaimedJob first) throws SQLException {
    FinishedAttempt failed =
        new FinishedAttempt(
            first,
            Outcome.failed("http_500", "no"),
            new Settlement.Retry(Duration.ofHours(1), Bench.failure("http_500")),
            "node",
            System.nanoTime(),
            Duration.ofMillis(3),
            null);
    if (!jobs.settle(List.of(failed), List.of(first.fencingToken())).isEmpty()) {
      throw new IllegalStateException("the fence kept it out");
    }
  }
}
