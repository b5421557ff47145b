package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a search for queues with work reads, by PostgreSQL's own counts of blocks. */
@Proof
class WorkFinderCostTest {
  private static final int TIMES = 20;

  private Bench bench;

  /** Often enough for the server to settle for a generic plan. */
  @BeforeEach
  void planWhileThereAreNoJobs() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    assertThat(find()).isEmpty();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<String> find() throws SQLException {
    List<String> found = List.of();
    for (int i = 0; i < TIMES; i++) {
      found = bench.queuesWithWork("echo", null);
    }
    return found;
  }

  private long blocksPerPoll() throws SQLException {
    bench.resetBlocks();
    var _ = find();
    return bench.blocks("%with recursive asked%") / TIMES;
  }

  private void fill(int jobs, String queue, String runAt) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select '%s', 'echo', i %% 10, now() + interval '%s', 16, '{}'
        from generate_series(1, %s) i
        """
            .formatted(queue, runAt, jobs));
  }

  @Test
  void a_million_parked_jobs_cost_a_poll_a_few_blocks_per_priority() throws SQLException {
    fill(1_000_000, Bench.QUEUE, "1 day");

    assertThat(find()).isEmpty();
    assertThat(blocksPerPoll()).as("before there are statistics").isBetween(1L, 60L);
    bench.execute("vacuum analyze ebb.job");
    assertThat(blocksPerPoll()).isBetween(1L, 60L);
  }

  @Test
  void due_jobs_of_a_kind_that_nobody_serves_cost_a_poll_no_more_the_more_there_are()
      throws SQLException {
    fill(2 * WorkFinder.MOST_LOOKED_AT, "strange", "-1 hour");
    bench.execute("update ebb.job set kind = 'strange'");
    bench.execute("vacuum analyze ebb.job");
    assertThat(find()).as("there may be some behind them").containsExactly("strange");
    long few = blocksPerPoll();

    fill(100_000, "strange", "-2 hours");
    bench.execute("update ebb.job set kind = 'strange'");
    bench.execute("vacuum (index_cleanup on, analyze) ebb.job");

    assertThat(blocksPerPoll()).isLessThanOrEqualTo(2 * few);
  }

  @Test
  void a_poll_of_some_queues_does_not_step_through_the_others() throws SQLException {
    for (int queue = 0; queue < 100; queue++) {
      fill(10, "queue-" + queue, "-1 hour");
    }

    List<String> found = bench.queuesWithWork("echo", List.of("queue-7", "absent"));
    assertThat(found).containsExactly("queue-7");
    bench.resetBlocks();
    for (int i = 0; i < TIMES; i++) {
      bench.queuesWithWork("echo", List.of("queue-7", "absent"));
    }
    assertThat(bench.blocks("%with q (name%") / TIMES).isBetween(1L, 60L);
  }

  @Test
  void ten_thousand_queues_of_parked_jobs_cost_a_look_its_stretch_alone() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'queue-' || i % 10000, 'echo', 5, now() + interval '1 day', 16, '{}'
        from generate_series(1, 200000) i
        """);
    bench.execute("vacuum analyze ebb.job");
    WorkFinder finder = new WorkFinder(bench.database);
    WorkFinder.Place place = WorkFinder.Place.BEGINNING;
    bench.resetBlocks();
    for (int i = 0; i < TIMES; i++) {
      place = finder.find(List.of("echo"), null, place, 1, Bench.LEASE).next();
    }
    assertThat(bench.blocks("%with recursive asked%") / TIMES).isBetween(1L, 100L);

    bench.resetBlocks();
    for (int i = 0; i < TIMES; i++) {
      place = finder.find(List.of("echo"), null, place, 500, Bench.LEASE).next();
    }
    assertThat(bench.blocks("%with recursive asked%") / TIMES).isBetween(500L, 5_000L);
  }

  @Test
  void due_jobs_of_a_thousand_queues_cost_a_look_a_few_blocks_each() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'queue-' || i % 1000, 'echo', 5, now() - interval '1 hour', 16, '{}'
        from generate_series(1, 20000) i
        """);
    bench.execute("vacuum analyze ebb.job");

    assertThat(find()).hasSize(1_000);
    assertThat(blocksPerPoll()).isBetween(1_000L, 30_000L);
  }

  @Test
  void a_hundred_queues_cost_a_poll_a_few_blocks_each() throws SQLException {
    for (int queue = 0; queue < 100; queue++) {
      fill(1_000, "queue-" + queue, queue % 2 == 0 ? "-1 hour" : "1 day");
    }

    assertThat(find()).hasSize(50);
    assertThat(blocksPerPoll()).isBetween(100L, 3_000L);
  }
}
