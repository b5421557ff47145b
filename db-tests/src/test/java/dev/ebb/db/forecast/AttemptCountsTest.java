package dev.ebb.db.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the jobs of a queue were started that do not run, and what it costs to tell. */
class AttemptCountsTest {
  /** The budget's rows, from an index, and the sample's blocks. */
  private static final long MOST_BLOCKS = 2L * AttemptCounts.BUDGET + 2L * BlockSample.BLOCKS;

  private Bench bench;
  private AttemptCounts counts;

  @BeforeEach
  void open() {
    bench = new Bench();
    counts = new AttemptCounts(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void park(int many, String queue, String attempt) throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
        select now() + (i %% 90 - 5) * interval '1 minute', %s, 100, i %% 10, '%s', 'echo', '{}'
        from generate_series(1, %s) i
        """
            .formatted(attempt, queue, many));
  }

  @Test
  void each_job_of_the_queue_counts_whenever_it_is_due() throws SQLException {
    park(300, "q", "i % 3");
    park(2, "q", "10");
    park(1, "q", "37");
    park(5, "other", "0");

    AttemptCounts.DueCounts found = counts.of("q");

    assertThat(found.exact()).isTrue();
    assertThat(found.jobs()).isEqualTo(Map.of(0, 100L, 1, 100L, 2, 100L, 10, 3L));
    assertThat(counts.of("none").jobs()).isEmpty();
  }

  @Test
  void what_runs_is_left_out() throws SQLException {
    for (int i = 0; i < 5; i++) {
      bench.submitOne();
    }
    bench.claim(2);

    assertThat(counts.of(Bench.QUEUE).jobs()).isEqualTo(Map.of(0, 3L));
  }

  @Test
  void a_large_queue_is_an_estimate_of_bounded_cost() throws SQLException {
    bench.countBlocks();
    assertThat(counts.of("q").jobs()).isEmpty();
    park(120_000, "q", "i % 4");
    park(3_000, "small", "i % 2");
    bench.execute("vacuum analyze ebb.job");
    bench.resetBlocks();

    AttemptCounts.DueCounts found = counts.of("q");

    assertThat(found.exact()).isFalse();
    assertThat(found.jobs().keySet()).containsExactly(0, 1, 2, 3);
    assertThat(found.jobs().values())
        .allSatisfy(jobs -> assertThat(jobs).isBetween(20_000L, 40_000L));
    assertThat(bench.blocks("%as attempts%")).isBetween(1L, MOST_BLOCKS);
    assertThat(counts.of("small").jobs()).isEqualTo(Map.of(0, 1_500L, 1, 1_500L));
  }
}
