package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.operation.JobAction;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an operation's report and stages read, by PostgreSQL's own counts of blocks. */
class ReportCostTest {
  private static final int JOBS = 300;
  private static final String OLD_DAYS =
      """
      do $$
      begin
        for day in 1..40 loop
          execute format(
            'create table ebb.history_old_%s partition of ebb.history for values from (%L) to (%L)',
            day, '2001-01-01'::timestamptz + make_interval(days => day),
            '2001-01-02'::timestamptz + make_interval(days => day));
        end loop;
      end $$;
      insert into ebb.history (id, ended_at, run_at, created_at, started_at, attempt, max_attempts,
        priority, cancelled, queue, kind)
      select uuidv7(), '2001-01-01'::timestamptz + make_interval(days => day), now(), now(), now(),
        1, 3, 5, false, 'q', 'echo'
      from generate_series(1, 40) day
      """;

  @Test
  void days_that_ended_before_an_operation_began_are_not_read() throws SQLException {
    try (OperationBench ops = new OperationBench()) {
      ops.bench.countBlocks();
      ops.dead("q", JOBS);
      ops.bench.execute("update ebb.dead_letter set unique_key = id::text");
      UUID id = ops.start(OperationBench.plan(new JobAction.Discard(), ""));
      ops.carryOut(id);
      long before = blocks(ops, id);

      ops.bench.execute(OLD_DAYS);

      assertThat(blocks(ops, id)).isLessThan(before + 2 * JOBS);
    }
  }

  private static long blocks(OperationBench ops, UUID id) throws SQLException {
    ops.bench.execute("analyze ebb.operation_item, ebb.history, ebb.dead_letter");
    ops.bench.resetBlocks();
    List<OperationItem> report = ops.operations.report(id, null, 2_000);
    List<OperationItem> stage = ops.operations.stage(id, 1, 2_000);
    assertThat(report).hasSize(JOBS).allMatch(item -> item.uniqueKey() != null);
    assertThat(stage).hasSize(JOBS).allMatch(item -> item.uniqueKey() != null);
    return ops.bench.blocks("%from ebb.operation_item i%");
  }
}
