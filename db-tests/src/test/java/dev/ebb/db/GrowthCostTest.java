package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import java.sql.SQLException;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a submit and a completion read, beside little and beside a million parked jobs and half a
 * million that ended; by PostgreSQL's own counts of blocks.
 */
@Proof
class GrowthCostTest {
  private static final int BATCH = 500;
  private static final int BATCHES = 8;

  private Bench bench;

  @BeforeEach
  void planWhileThereAreNoJobs() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    submitAndComplete();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submitAndComplete() throws SQLException {
    for (int i = 0; i < BATCHES; i++) {
      bench.jobs.submit(Collections.nCopies(BATCH, NewJob.of("echo", "{}")));
      bench.completeAll(bench.claim(BATCH));
    }
  }

  private record Blocks(double perSubmit, double perCompletion) {}

  private Blocks measure() throws SQLException {
    bench.execute("vacuum (analyze, index_cleanup on) ebb.job");
    bench.resetBlocks();
    submitAndComplete();
    return new Blocks(
        blocksPerJob("%insert into ebb.job (%"), blocksPerJob("%insert into ebb.history%"));
  }

  private double blocksPerJob(String statement) throws SQLException {
    return bench.blocks(statement) / (double) (BATCH * BATCHES);
  }

  @Test
  void neither_grows_with_parked_jobs_and_history() throws SQLException {
    Blocks little = measure();

    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'default', 'echo', 5, now() + interval '1 day', 16, repeat('x', 200)
        from generate_series(1, 1000000)
        """);
    bench.execute(
        """
        insert into ebb.history (
          id, run_at, created_at, started_at, attempt, max_attempts, priority, cancelled, queue,
          kind, node)
        select uuidv7(), now(), now(), now(), 1, 16, 5, false, 'default', 'echo', 'node'
        from generate_series(1, 500000)
        """);
    Blocks much = measure();

    System.out.println("blocks per job, beside little and much: " + little + ", " + much);
    // An index that is a level or two deeper.
    assertThat(little.perSubmit).isPositive();
    assertThat(much.perSubmit).isLessThan(little.perSubmit + 4);
    assertThat(little.perCompletion).isPositive();
    assertThat(much.perCompletion).isLessThan(little.perCompletion + 4);
  }
}
