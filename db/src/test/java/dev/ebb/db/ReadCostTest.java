package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.NewJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
    bench.execute("create extension pg_stat_statements");
    bench.execute("alter table ebb.job set (autovacuum_enabled = off)");
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
    bench.execute("select pg_stat_statements_reset()");
    look(id);
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select sum(shared_blks_hit + shared_blks_read)
                from pg_stat_statements s
                join pg_database d on d.oid = s.dbid
                where d.datname = current_database() and s.query like '%_job where id = $1%'
                """)) {
      row.next();
      return row.getLong(1) / TIMES;
    }
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
    for (Claimed claimed : bench.claim(2).jobs()) {
      if (claimed.job().id().equals(failed)) {
        assertThat(bench.retryAtOnce(claimed)).isTrue();
      }
    }

    assertThat(blocksPerLook(failed)).isGreaterThan(3 * blocksPerLook(fresh));
  }
}
