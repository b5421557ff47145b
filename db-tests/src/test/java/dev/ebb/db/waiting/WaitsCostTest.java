package dev.ebb.db.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it costs to tell why a job waits, by PostgreSQL's own counts of blocks. */
class WaitsCostTest {
  private static final int TIMES = 10;

  private Bench bench;
  private Waits waits;

  /** Often enough for the server to settle for a generic plan, while there are no jobs. */
  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    waits = new Waits(bench.database);
    UUID id = bench.submitOne();
    assertThat(ahead(id).jobs()).isZero();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Waits.Ahead ahead(UUID id) throws SQLException {
    Waits.Ahead ahead = new Waits.Ahead(0, true);
    for (int i = 0; i < TIMES; i++) {
      ahead = waits.ahead(waits.find(id).orElseThrow());
    }
    return ahead;
  }

  private Waits.Ahead measured(UUID id, long mostBlocks) throws SQLException {
    bench.execute("vacuum analyze ebb.job");
    bench.resetBlocks();
    Waits.Ahead ahead = ahead(id);
    assertThat(bench.blocks("%own as materialized%") / TIMES).isBetween(1L, mostBlocks);
    assertThat(bench.blocks("%as held_by%") / TIMES).isBetween(1L, 20L);
    return ahead;
  }

  private void fill(int jobs, int priority, String runAt) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select '%s', 'echo', %s, now() + interval '%s', 16, '{}'
        from generate_series(1, %s) i
        """
            .formatted(Bench.QUEUE, priority, runAt, jobs));
  }

  private UUID submit(int priority) throws SQLException {
    return bench.submit(NewJob.builder("echo", "{}").queue(Bench.QUEUE).priority(priority).build());
  }

  @Test
  void jobs_that_are_not_due_or_come_later_cost_next_to_nothing() throws SQLException {
    fill(30_000, 0, "1 day");
    UUID id = submit(4);
    fill(30_000, 4, "1 second");
    fill(30_000, 5, "-1 hour");
    bench.execute(
        "update ebb.job set run_at = now() - interval '1 minute' where id = '" + id + "'");
    fill(30_000, 4, "-30 seconds");

    assertThat(measured(id, 60)).isEqualTo(new Waits.Ahead(0, true));
  }

  @Test
  void of_many_jobs_that_come_first_a_thousand_are_counted() throws SQLException {
    fill(30_000, 2, "-1 hour");
    fill(30_000, 4, "-1 hour");
    UUID id = submit(4);

    assertThat(measured(id, 2L * Waits.MOST_AHEAD))
        .isEqualTo(new Waits.Ahead(Waits.MOST_AHEAD, false));
  }

  @Test
  void what_is_claimed_is_not_before_it() throws SQLException {
    fill(10, 4, "-1 hour");
    UUID id = submit(4);
    assertThat(bench.claimAs("node", 4, Duration.ofMinutes(1))).isPresent();

    assertThat(ahead(id)).isEqualTo(new Waits.Ahead(6, true));
    assertThat(waits.inFlight(Bench.QUEUE, 100)).isEqualTo(4);
    assertThat(waits.inFlight(Bench.QUEUE, 3)).isEqualTo(3);
  }
}
