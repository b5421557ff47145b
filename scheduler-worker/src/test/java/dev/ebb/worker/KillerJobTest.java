package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Proof;
import dev.ebb.db.view.JobView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A job that kills every worker that runs it, and the batch of jobs that is claimed with it. */
@Proof
class KillerJobTest {
  private static final int BUDGET = 5;
  private static final int NEIGHBOURS = 40;

  /** A neighbour that meets the killer once draws another instant than it for the next attempt. */
  private static final RetryPolicy POLICY =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofSeconds(1), 2, Duration.ofSeconds(8))),
          BUDGET);

  @Test
  void it_is_a_dead_letter_after_its_last_attempt_and_its_neighbours_end_well() throws Exception {
    try (WorkerBench bench = new WorkerBench();
        Merchant merchant = new Merchant(0, Duration.ofMillis(20));
        Cluster cluster =
            new Cluster(bench.config, merchant.url(), Soak.LEASE, Cluster.Guards.ALL)) {
      List<NewJob> jobs = new ArrayList<>();
      jobs.add(job(Node.POISON));
      for (int i = 0; i < NEIGHBOURS; i++) {
        jobs.add(job("{}"));
      }
      List<UUID> ids = bench.jobs.submit(jobs).stream().map(stored -> stored.id()).toList();

      int deaths = keepTwoNodesUntilAllEnded(bench, cluster);

      JobView dead = bench.view(ids.getFirst());
      assertThat(dead.deadReason()).isEqualTo("worker_lost");
      assertThat(dead.attempt()).isEqualTo(BUDGET);
      assertThat(deaths).isEqualTo(BUDGET);
      assertThat(bench.count("(select distinct job_id from ebb.attempt) lost")).isGreaterThan(1);
      assertThat(ids.subList(1, ids.size()))
          .allSatisfy(id -> assertThat(bench.view(id).state().word()).isEqualTo("completed"));
    }
  }

  /** Answers how many nodes died. */
  private static int keepTwoNodesUntilAllEnded(WorkerBench bench, Cluster cluster)
      throws Exception {
    List<Cluster.Member> alive = new ArrayList<>();
    int started = 0;
    while (bench.count("ebb.job") > 0) {
      alive.removeIf(member -> !member.process().isAlive());
      // The first alone: it claims all of them at once.
      while (alive.size() < Math.min(2, started + 1)) {
        alive.add(cluster.start());
        started++;
      }
      Await.until(
          "a node died or all have ended",
          () ->
              bench.count("ebb.job") == 0
                  || alive.stream().anyMatch(member -> !member.process().isAlive()));
    }
    return started - (int) alive.stream().filter(member -> member.process().isAlive()).count();
  }

  private static NewJob job(String payload) {
    return NewJob.builder(WorkerBench.KIND, payload).policy(POLICY).build();
  }
}
