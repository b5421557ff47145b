package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.queue.RunningJobs.OfNode;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who runs the jobs of a queue, and what it costs to tell. */
class RunningJobsTest {
  private Bench bench;
  private RunningJobs running;

  @BeforeEach
  void open() {
    bench = new Bench();
    running = new RunningJobs(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Lease claim(String node, int most) throws SQLException {
    return bench.claimAs(node, most, Bench.LEASE).orElseThrow();
  }

  @Test
  void each_node_has_its_jobs_and_the_one_that_it_runs_for_longest() throws SQLException {
    for (int i = 0; i < 6; i++) {
      bench.submitOne();
    }
    Lease first = claim("b", 1);
    claim("a", 2);
    claim("b", 2);

    RunningJobs.RunningCount found = running.of(Bench.QUEUE);

    assertThat(found.exact()).isTrue();
    assertThat(found.jobs()).isEqualTo(5);
    assertThat(found.nodes()).extracting(OfNode::node).containsExactly("b", "a");
    assertThat(found.nodes()).extracting(OfNode::jobs).containsExactly(3L, 2L);
    RunningJobs.Oldest oldest = found.nodes().getFirst().oldest();
    assertThat(oldest.id()).isEqualTo(first.jobs().getFirst().job().id());
    assertThat(oldest.kind()).isEqualTo("echo");
    assertThat(oldest.attempt()).isEqualTo(1);
    assertThat(oldest.startedAt()).isBeforeOrEqualTo(found.asOf());
  }

  /** A lease names jobs that are settled until its last one is. */
  @Test
  void what_has_ended_or_was_taken_away_does_not_run() throws SQLException {
    bench.submitOne();
    bench.submitOne();
    Lease lease = claim("a", 2);

    assertThat(bench.complete(lease.jobs().getFirst())).isTrue();
    bench.execute("update ebb.job set version = version + 1");

    RunningJobs.RunningCount found = running.of(Bench.QUEUE);
    assertThat(found.jobs()).isZero();
    assertThat(found.nodes()).isEmpty();
  }

  @Test
  void of_many_the_oldest_are_looked_at_beside_as_many_jobs_as_there_are() throws SQLException {
    bench.countBlocks();
    assertThat(running.of("q").nodes()).isEmpty();
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now(), 3, 5, 'q', 'echo', '{}' from generate_series(1, 60000);
        insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids, versions,
          first_priority, last_priority, last_run_at)
        select 'q', 'node' || number %% 150, now() - number * interval '1 second', now() + interval
          '1 hour', 1000000, array_agg(id), array_agg(version), 5, 5, now()
        from (
          select id, version, row_number() over () / 100 as number from ebb.job limit 20000) named
        group by number
        """
            .replace("%%", "%"));
    bench.execute("vacuum analyze ebb.job, ebb.lease");
    bench.resetBlocks();

    RunningJobs.RunningCount found = running.of("q");

    assertThat(found.exact()).isFalse();
    assertThat(found.jobs()).isEqualTo(RunningJobs.BUDGET + 1);
    assertThat(found.nodes()).hasSizeBetween(40, RunningJobs.MOST_NODES);
    assertThat(found.nodes().getFirst().oldest().startedAt())
        .isBefore(found.nodes().getLast().oldest().startedAt());
    assertThat(bench.blocks("%named as materialized%")).isBetween(1L, 6L * RunningJobs.BUDGET);
  }
}
