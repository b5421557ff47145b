package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.SQLException;
import java.util.Collections;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it costs to look a job up, by PostgreSQL's own counts of blocks. */
class ReadCostTest {
  private static final int TIMES = 20;

  private Bench bench;

  @BeforeEach
  void planWhileThereAreNoJobs() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    bench.execute("vacuum analyze ebb.job");
    look(new UUID(0, 0));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void look(UUID id) throws SQLException {
    for (int i = 0; i < TIMES; i++) {
      var _ = bench.reads.find(id);
    }
  }

  private long blocksPerLook(UUID id) throws SQLException {
    bench.resetBlocks();
    look(id);
    return bench.blocks("%_job v%where v.id = $1%") / TIMES;
  }

  @Test
  void a_look_at_a_job_costs_the_same_among_ten_thousand_that_came_after_it_was_planned()
      throws SQLException {
    UUID early = bench.submitOne();
    long alone = blocksPerLook(early);

    UUID late = early;
    for (int i = 0; i < 10; i++) {
      late = bench.jobs.submit(Collections.nCopies(1000, NewJob.of("echo", "{}"))).getLast().id();
    }

    assertThat(alone).isPositive();
    assertThat(blocksPerLook(late)).isLessThanOrEqualTo(alone + 5);
  }

  @Test
  void a_new_job_is_found_without_a_look_into_history_attempts_or_dead_letters()
      throws SQLException {
    UUID fresh = bench.submitOne();
    UUID failed = bench.submitOne();
    for (ClaimedJob claimed : bench.claim(2).jobs()) {
      if (claimed.job().id().equals(failed)) {
        assertThat(bench.retryAtOnce(claimed)).isTrue();
      }
    }

    assertThat(blocksPerLook(failed)).isGreaterThan(3 * blocksPerLook(fresh));
  }
}
