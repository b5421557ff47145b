package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.Claimer;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What a job that succeeds makes the server write, by its count for each session: what else goes on
 * in the server is not in it.
 */
@NewestServer
class WriteCostTest {
  private static final int JOBS = 20_000;
  private static final int BATCH = 500;
  private static final double MOST_WAL_BYTES = 850;

  /** Pages written whole, because a checkpoint had begun: so few weigh less than the margin. */
  private static final long FEW_WHOLE_PAGES = 50;

  private static final int MEASUREMENTS = 5;

  /** For pages that split elsewhere, and a few pages that are written whole. */
  private static final double MARGIN = 1.05;

  /** Pages split in half where a queue's entries in the claim index do not grow at its end. */
  private static final double MOST_WAL_BYTES_ON_FOUR_QUEUES = 900;

  private static final double MOST_DEAD_ROWS = 1.1;

  private record Cost(double wal, double deadRows, long wholePages) {}

  @Test
  void a_job_costs_at_most_850_bytes_of_wal_and_about_one_dead_row_from_submit_to_history()
      throws SQLException {
    assertCostsAtMost(MOST_WAL_BYTES, 1);
  }

  @Test
  void a_job_on_one_of_four_queues_costs_at_most_900_bytes_of_wal() throws SQLException {
    assertCostsAtMost(MOST_WAL_BYTES_ON_FOUR_QUEUES, 4);
  }

  private static void assertCostsAtMost(double bytes, int queues) throws SQLException {
    Cost cost = measure(queues);

    System.out.printf(
        "a job that succeeds, on %s queues: %.0f bytes of WAL (%s whole pages), %.2f dead rows%n",
        queues, cost.wal, cost.wholePages, cost.deadRows);
    assertThat(cost.wal).isBetween(100.0, MARGIN * bytes);
    assertThat(cost.deadRows).isBetween(1.0, MOST_DEAD_ROWS);
  }

  /** The server begins a checkpoint when it wants to, and the next minutes cost more then. */
  private static Cost measure(int queues) throws SQLException {
    for (int i = 1; i < MEASUREMENTS; i++) {
      Cost cost = measureOnce(queues);
      if (cost.wholePages <= FEW_WHOLE_PAGES) {
        return cost;
      }
    }
    return measureOnce(queues);
  }

  private static Cost measureOnce(int queues) throws SQLException {
    DatabaseConfig config = TestPostgres.shared().newDatabase().withPoolSize(2);
    try (Bench bench = new Bench(config)) {
      submit(bench, queues);
      for (int queue = 0; queue < queues; queue++) {
        complete(bench, queue(queue), JOBS / queues);
      }

      assertThat(bench.count("ebb.history")).isEqualTo(JOBS);
      double wal = wal(bench, "wal_bytes") / (double) JOBS;
      long wholePages = wal(bench, "wal_fpi");
      // What a session did is counted for sure once it ended.
      bench.database.close();
      return new Cost(wal, deadRows(bench) / (double) JOBS, wholePages);
    }
  }

  private static String queue(int number) {
    return "queue-" + number;
  }

  private static void submit(Bench bench, int queues) throws SQLException {
    String payload = "\"" + "x".repeat(198) + "\"";
    for (int i = 0; i < JOBS; i += 1000) {
      NewJob job = NewJob.builder("echo", payload).queue(queue(i / 1000 % queues)).build();
      bench.jobs.submit(Collections.nCopies(1000, job));
    }
  }

  private static void complete(Bench bench, String queue, int jobs) throws SQLException {
    Claimer claimer = new Claimer(bench.database);
    Set<Long> held = new HashSet<>();
    ClaimRequest request =
        ClaimRequest.of(
            queue, "worker-7f9c6d5b48-x2x8k", List.of("echo"), BATCH, Duration.ofMinutes(5));
    for (int done = 0; done < jobs; done += BATCH) {
      Lease lease = claimer.claim(request, held).lease().orElseThrow();
      held.add(lease.id());
      bench.completeAll(lease);
      held.remove(lease.id());
    }
  }

  /** What the sessions of the pool have written since they began. */
  private static long wal(Bench bench, String column) throws SQLException {
    try (Connection one = bench.database.connection();
        Connection other = bench.database.connection()) {
      return wal(one, column) + wal(other, column);
    }
  }

  private static long wal(Connection session, String column) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute("select pg_stat_force_next_flush()");
      return number(
          statement,
          "select %s::bigint from pg_stat_get_backend_wal(pg_backend_pid())".formatted(column));
    }
  }

  private static long deadRows(Bench bench) throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      return number(
          statement,
          "select sum(n_tup_upd + n_tup_del) from pg_stat_user_tables where schemaname = 'ebb'");
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
