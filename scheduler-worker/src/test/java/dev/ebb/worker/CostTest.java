package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a node costs its database, by the server's own count. */
@Proof
class CostTest {

  private static final int SECONDS = 10;

  @Test
  void an_idle_node_costs_five_statements_a_second_and_writes_nothing_but_its_beat()
      throws Exception {
    try (WorkerBench bench = new WorkerBench();
        Connection admin = TestPostgres.connect(TestPostgres.shared().config("postgres"));
        Statement statement = admin.createStatement()) {
      statement.execute("create extension if not exists pg_stat_statements");
      CountDownLatch done = new CountDownLatch(1);
      RateLimit limit = RateLimit.of(100, Duration.ofSeconds(1), 3);
      new Queues(bench.database)
          .put(NewJob.DEFAULT_QUEUE, new QueueSettings(false, null, limit, 5), true, Bench.ACT);
      bench.start(context -> {
        // A retry of the node's own is remembered, and must be forgotten once it is due.
        if (context.job().attempt() == 1) {
          return Outcome.failed("http_500", "no");
        }
        done.countDown();
        return Outcome.completed();
      });
      bench.submit("{}");
      done.await();
      Await.until("it is settled", () -> bench.count("ebb.lease") == 0);
      Await.until("it is in the statistics", () -> bench.count("ebb.tally") == 0);
      new CountDownLatch(1).await(2, TimeUnit.SECONDS);
      // After a write, the first read of a page may write once more; a vacuum reads all of them.
      bench.execute("vacuum");
      statement.execute("checkpoint");

      long statementsBefore = statements(statement, bench);
      long walBefore = walRecords(statement, bench);
      new CountDownLatch(1).await(SECONDS, TimeUnit.SECONDS);
      double perSecond = (statements(statement, bench) - statementsBefore) / (double) SECONDS;
      long written = walRecords(statement, bench) - walBefore;

      System.out.printf(
          "idle node: %.1f statements/s, %s records of WAL in %s s%n", perSecond, written, SECONDS);
      // One more in the ten seconds may be that of a second that was cut off.
      assertThat(perSecond).isPositive().isLessThanOrEqualTo(5.2);
      // The beat of ten seconds by which a node knows that its database stores.
      assertThat(written).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void a_queue_that_stays_full_costs_a_node_little_more_than_an_empty_one() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (WorkerBench bench = new WorkerBench();
        Connection admin = TestPostgres.connect(TestPostgres.shared().config("postgres"));
        Statement statement = admin.createStatement()) {
      new Queues(bench.database)
          .put(NewJob.DEFAULT_QUEUE, new QueueSettings(false, null, null, 1), true, Bench.ACT);
      statement.execute("create extension if not exists pg_stat_statements");
      bench.start(_ -> {
        running.countDown();
        end.await();
        return Outcome.completed();
      });
      bench.submit("{}");
      bench.submit("{}");
      running.await();
      new CountDownLatch(1).await(4, TimeUnit.SECONDS);

      long before = claims(statement, bench);
      new CountDownLatch(1).await(SECONDS, TimeUnit.SECONDS);
      double claims = (claims(statement, bench) - before) / (double) SECONDS;

      System.out.printf("node with a full queue: %.1f claims/s%n", claims);
      assertThat(claims).isPositive().isLessThanOrEqualTo(2);
      end.countDown();
      Await.until("the second has run as well", () -> bench.count("ebb.history") == 2);
    } finally {
      end.countDown();
    }
  }

  private static long statements(Statement statement, WorkerBench bench) throws SQLException {
    return ofStatements(statement, bench, "calls");
  }

  /** Of all that goes on here, only a claim of a limited queue and, once, a fold are begun. */
  private static long claims(Statement statement, WorkerBench bench) throws SQLException {
    return ofStatements(statement, bench, "calls", "begin");
  }

  private static long walRecords(Statement statement, WorkerBench bench) throws SQLException {
    return ofStatements(statement, bench, "wal_records");
  }

  private static long ofStatements(Statement statement, WorkerBench bench, String column)
      throws SQLException {
    return ofStatements(statement, bench, column, "%");
  }

  /** Sessions' own statements: those of autovacuum are not among them. */
  private static long ofStatements(
      Statement statement, WorkerBench bench, String column, String query) throws SQLException {
    String database = TestPostgres.nameOf(bench.config);
    try (ResultSet row =
        statement.executeQuery(
            "select coalesce(sum("
                + column
                + "), 0) from pg_stat_statements s"
                + " join pg_database d on d.oid = s.dbid where d.datname = '"
                + database
                + "' and s.query ilike '"
                + query
                + "'")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void a_retry_storm_costs_at_most_a_fifth_of_a_statement_per_attempt() throws Exception {
    int jobs = 10_000;
    try (WorkerBench bench = new WorkerBench();
        Connection admin = TestPostgres.connect(TestPostgres.shared().config("postgres"));
        Statement statement = admin.createStatement()) {
      statement.execute("create extension if not exists pg_stat_statements");
      NewJob job = NewJob.builder(WorkerBench.KIND, "{}").policy(WorkerBench.QUICK).build();
      for (int i = 0; i < jobs / 1000; i++) {
        bench.jobs.submit(Collections.nCopies(1000, job));
      }
      bench.execute("vacuum analyze ebb.job");
      long before = statements(statement, bench);

      bench.start(
          WorkerBench.settings().withConcurrency(2_000),
          context ->
              context.job().attempt() < 3 ? Outcome.failed("http_500", "no") : Outcome.completed());
      Await.until("all are done", Duration.ofMinutes(2), () -> bench.count("ebb.history") == jobs);

      double perAttempt = (statements(statement, bench) - before) / (3.0 * jobs);
      System.out.printf("retry storm: %.3f statements per attempt%n", perAttempt);
      assertThat(bench.count("ebb.history where attempt = 3")).isEqualTo(jobs);
      assertThat(bench.count("ebb.attempt")).isEqualTo(2L * jobs);
      assertThat(perAttempt).isPositive().isLessThanOrEqualTo(0.2);
    }
  }

  @Test
  void a_node_drains_a_hundred_thousand_jobs_each_once() throws Exception {
    int jobs = 100_000;
    try (WorkerBench bench = new WorkerBench();
        Connection admin = TestPostgres.connect(TestPostgres.shared().config("postgres"));
        Statement statement = admin.createStatement()) {
      statement.execute("create extension if not exists pg_stat_statements");
      fill(bench, jobs);
      double bare = BareDrain.run(bench.config, "node", 500);
      assertThat(bench.count("ebb.history")).isEqualTo(jobs);

      fill(bench, jobs);
      long before = statements(statement, bench);
      long start = System.nanoTime();
      bench.start(WorkerBench.settings().withConcurrency(2_000), _ -> Outcome.completed());
      Await.until("all are done", Duration.ofMinutes(3), () -> bench.count("ebb.job") == 0);
      double node = jobs / ((System.nanoTime() - start) / 1e9);
      double statements = (statements(statement, bench) - before) / (double) jobs;

      System.out.printf(
          "drain of %,d no-op jobs: node %,.0f jobs/s, the same SQL by bare JDBC %,.0f jobs/s,"
              + " ratio %.2f, %.3f statements per job%n",
          jobs, node, bare, node / bare, statements);
      assertThat(statements).isPositive().isLessThanOrEqualTo(0.05);
      assertThat(bench.count("ebb.history")).isEqualTo(2L * jobs);
      assertThat(bench.count("ebb.history where attempt > 1")).isZero();
    }
  }

  private static void fill(WorkerBench bench, int jobs) throws SQLException {
    NewJob job = NewJob.of(WorkerBench.KIND, "\"" + "x".repeat(198) + "\"");
    for (int i = 0; i < jobs / 1000; i++) {
      bench.jobs.submit(Collections.nCopies(1000, job));
    }
    bench.execute("vacuum analyze ebb.job");
  }
}
