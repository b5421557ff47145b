package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * How many jobs of a queue run at a time in all processes, while some of them are killed. A call of
 * a killed node is answered long before its job is rescued.
 */
@Proof
class ConcurrencyTest {
  private static final int MOST = 8;

  /**
   * Every attempt that was settled counts while its handler runs; a lost one from its claim until
   * its rescue. Of two nodes that claimed one job at a time, only the merchant knows.
   */
  private static final String MOST_AT_A_TIME =
      """
      (
        with attempt as (
          select started_at, ended_at from ebb.attempt where outcome <> 'released'
          union all
          select started_at, ended_at from ebb.history
        ), change as (
          select started_at as at, 1 as by from attempt
          union all
          select ended_at, -1 from attempt
        ), running as (
          select sum(by) over (order by at, by) as jobs from change
        )
        select generate_series(1, max(jobs)) from running
      ) as most
      """;

  private static long mostAtATime(Cluster.Guards guards) throws Exception {
    try (WorkerBench bench = new WorkerBench();
        Merchant merchant = new Merchant(0.1, Duration.ofMillis(40));
        Cluster cluster = new Cluster(bench.config, merchant.url(), Soak.LEASE, guards)) {
      new Queues(bench.database)
          .put(NewJob.DEFAULT_QUEUE, new QueueSettings(false, null, null, MOST), true, Bench.ACT);
      bench.slowClaims();
      bench.jobs.submit(
          Collections.nCopies(
              1_000, NewJob.builder(WorkerBench.KIND, "{}").policy(WorkerBench.QUICK).build()));
      List<String> killed = new ArrayList<>();
      List<Cluster.Member> alive = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        alive.add(cluster.start());
      }
      for (int kills = 1; kills <= 6; kills++) {
        int calls = 60 * kills;
        Await.until(calls + " calls", () -> merchant.callsInAll() >= calls);
        Cluster.Member victim = atWork(bench, alive);
        alive.remove(victim);
        cluster.kill(victim);
        killed.add("'" + victim.name() + "'");
        alive.add(cluster.start());
      }
      Await.until(
          "what was lost is rescued",
          () -> bench.count("ebb.lease where node in (" + String.join(",", killed) + ")") == 0);
      assertThat(bench.count("ebb.attempt where failure_reason = 'worker_lost'")).isPositive();
      return Math.max(bench.count(MOST_AT_A_TIME), merchant.mostAtATime());
    }
  }

  /** One that has claimed jobs, so that some are lost with it. */
  private static Cluster.Member atWork(WorkerBench bench, List<Cluster.Member> alive)
      throws Exception {
    AtomicReference<Cluster.Member> found = new AtomicReference<>();
    Await.until(
        "a node works",
        () -> {
          for (Cluster.Member member : alive) {
            if (bench.count("ebb.lease where node = '%s'".formatted(member.name())) > 0) {
              found.set(member);
            }
          }
          return found.get() != null;
        });
    return found.get();
  }

  @Test
  void no_more_jobs_run_at_a_time_than_may_however_many_nodes_are_killed() throws Exception {
    assertThat(mostAtATime(Cluster.Guards.ALL)).isEqualTo(MOST);
  }

  @Test
  void control_without_the_queue_lock_more_run() throws Exception {
    assertThat(mostAtATime(Cluster.Guards.NO_QUEUE_LOCK)).isGreaterThan(MOST);
  }
}
