package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What statistics read, by PostgreSQL's own counts of blocks, beside little and beside much. */
class StatCostTest {
  /** Of a window's rows, or of the look-ups of a page; each table that follows has more. */
  private static final int MOST_BLOCKS = 1_000;

  private static final int JOBS = 50_000;

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench(TestPostgres.shared().newDatabase("statistics", StatCostTest::fill));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static void fill(DatabaseConfig config) throws SQLException {
    try (Bench empty = new Bench(config)) {
      fill(empty);
    }
  }

  /** As many rows as a table has blocks, its partitions among them. */
  private static String pages(String table) {
    return """
    generate_series(1, (
      select (pg_relation_size('ebb.%1$s') + coalesce(sum(pg_relation_size(relid)), 0)) / 8192
      from pg_partition_tree('ebb.%1$s')))
    """
        .formatted(table);
  }

  private static void fill(Bench bench) throws SQLException {
    bench.countBlocks();
    bench.execute(
        """
        insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
        select 'q' || i %% 20, 'echo', 5, now() + interval '1 hour', 1, repeat('x', 200)
        from generate_series(1, %1$s) i;
        insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
          priority, cancelled, queue, kind)
        select uuidv7(), now(), now(), now(), 1, 3, 5, false, 'q1', 'echo'
        from generate_series(1, 2 * %1$s);
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(), 'r', 'http_500', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'q1', 'echo', '1'
        from generate_series(1, 2 * %1$s);
        insert into ebb.stat
        select
          date_trunc('minute', now()) - i * interval '1 minute', 1,0,0,0,0,0,0,0,0,0,0, 0,0, 1,
          'q' || q, 'echo', '{1,2,3,4,5,6,7,8}', '{1,2,3,4,5,6,7,8}'
        from generate_series(0, 5000) i, generate_series(1, 20) q;
        select ebb.recount_queues();
        """
            .formatted(JOBS));
    bench.execute("vacuum analyze ebb.job, ebb.stat, ebb.stat_queue");
    for (String table : List.of("job", "history", "dead_letter", "stat")) {
      assertThat(bench.count(pages(table))).as(table).isGreaterThan(MOST_BLOCKS);
    }
  }

  private long blocks(String statement) throws SQLException {
    return bench.blocks(statement);
  }

  @Test
  void an_overview_and_a_day_of_a_queue_read_neither_jobs_nor_history_nor_other_days()
      throws SQLException {
    bench.resetBlocks();

    Overview overview = new OverviewReads(bench.database).page("", 50);
    Instant now = Instant.now().truncatedTo(ChronoUnit.DAYS);
    new StatReads(bench.database).series("q7", null, 1, now.minus(1, ChronoUnit.DAYS), now);

    assertThat(overview.all().jobs()).isEqualTo(JOBS);
    assertThat(overview.queues()).hasSize(20);
    long standings = blocks("%in_flight as materialized%");
    long recent = blocks("%minutes_ago%");
    long series = blocks("%date_bin%");
    System.out.printf("blocks: %s, %s, %s%n", standings, recent, series);
    assertThat(standings).isBetween(1L, (long) MOST_BLOCKS);
    assertThat(recent).isBetween(1L, (long) MOST_BLOCKS);
    assertThat(series).isBetween(1L, (long) MOST_BLOCKS);
  }

  @Test
  void an_overview_looks_at_the_oldest_due_jobs_and_not_at_the_others() throws SQLException {
    bench.execute("update ebb.job set run_at = now() - interval '1 hour'");
    bench.execute("vacuum full analyze ebb.job");
    bench.resetBlocks();

    Overview overview = new OverviewReads(bench.database).page("", 50);

    assertThat(overview.queues())
        .hasSize(20)
        .allSatisfy(queue -> assertThat(queue.oldestDue()).isGreaterThan(Duration.ofMinutes(59)));
    assertThat(blocks("%in_flight as materialized%")).isBetween(1L, (long) MOST_BLOCKS);
  }
}
