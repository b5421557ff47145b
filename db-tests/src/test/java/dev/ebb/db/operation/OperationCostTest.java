package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a step and a dry run cost, by PostgreSQL's own counts of blocks: no more among more jobs.
 */
class OperationCostTest {
  private static final JobAction RETRY = new JobAction.Retry(false);
  private static final int ROWS = 15_000;
  private static final List<String> FILTERS =
      List.of("", "queue:none", "kind:rare", "error:none", "age>1000d", "payload:none");

  private static final Map<String, Long> STEP_BEFORE = new TreeMap<>();
  private static final Map<String, Long> LOOK_BEFORE = new TreeMap<>();
  private static OperationBench ops;
  private static Bench bench;

  @BeforeAll
  static void fill() throws SQLException {
    ops = new OperationBench();
    bench = ops.bench;
    bench.countBlocks();
    more();
    for (JobAction action : List.of(OperationBench.REDRIVE, RETRY)) {
      for (String query : FILTERS) {
        STEP_BEFORE.put(action + query, stepBlocks(action, query));
      }
    }
    for (String query : FILTERS) {
      LOOK_BEFORE.put(query, lookBlocks(query));
    }
    for (int i = 0; i < 4; i++) {
      more();
    }
  }

  @AfterAll
  static void close() {
    ops.close();
  }

  /** As many ended and retrying as dead. */
  private static void more() throws SQLException {
    ops.dead("q", ROWS);
    bench.execute(
        """
        insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
          priority, cancelled, queue, kind)
        select uuidv7(), now(), now(), now(), 1, 3, 5, false, 'q', 'echo'
        from generate_series(1, %1$s);
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now() + interval '1 hour', 1, 3, 5, 'q', 'echo', '{"order":1}'
        from generate_series(1, %1$s);
        """
            .formatted(ROWS));
    bench.execute("vacuum analyze ebb.job, ebb.history, ebb.dead_letter, ebb.operation_item");
  }

  private static long stepBlocks(JobAction action, String query) throws SQLException {
    UUID id = ops.start(OperationBench.plan(action, query));
    bench.resetBlocks();
    assertThat(ops.carrier.step()).isPresent();
    long blocks = bench.blocks("%ebb.%");
    ops.operations.cancel(id, OperationBench.ADA);
    return blocks;
  }

  private static long lookBlocks(String query) throws SQLException {
    bench.resetBlocks();
    assertThat(bench.reads.matches(OperationBench.filter(query), 10)).isNotNull();
    return bench.blocks("%picked as materialized%") + bench.blocks("%pg_partition_tree%");
  }

  @Test
  void a_step_costs_no_more_among_five_times_as_many_jobs() throws SQLException {
    List<String> dearer = new ArrayList<>();
    for (JobAction action : List.of(OperationBench.REDRIVE, RETRY)) {
      for (String query : FILTERS) {
        long before = STEP_BEFORE.getOrDefault(action + query, 0L);
        long blocks = stepBlocks(action, query);
        if (blocks > 1.5 * before + 2_000) {
          dearer.add(action + " " + query + ": " + before + " to " + blocks);
        }
      }
    }
    assertThat(dearer).isEmpty();
  }

  @Test
  void a_dry_run_looks_at_a_bounded_number_of_jobs() throws SQLException {
    for (String query : FILTERS) {
      // 120,000 rows of each table, of which there are 75,000.
      long before = LOOK_BEFORE.getOrDefault(query, 0L);
      assertThat(lookBlocks(query)).as(query).isLessThan(6 * before + 5_000);
    }
  }
}
