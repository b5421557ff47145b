package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import dev.ebb.db.submit.Submitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine behind PgBouncer in transaction mode, with fewer server connections than clients. */
class PoolerTest {
  private static final Path PGBOUNCER = Path.of("/usr/sbin/pgbouncer");

  private static final int SESSIONS = 3;

  private Process pooler;
  private WorkerBench bench;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(Files.isExecutable(PGBOUNCER), "pgbouncer is missing: apt-get install pgbouncer");
    DatabaseConfig direct = TestPostgres.shared().newDatabase();
    String name = TestPostgres.nameOf(direct);
    int port = TestPostgres.freePort();
    pooler = start(port, name);
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
    Await.until("the pooler answers", () -> answers(url));
    bench = new WorkerBench(DatabaseConfig.of(url, "postgres", "postgres").behindPooler());
  }

  @AfterEach
  void close() {
    if (bench != null) {
      bench.close();
      pooler.destroy();
    }
  }

  private static Process start(int port, String database) throws IOException {
    Path folder =
        Files.createTempDirectory(
            "ebb-pooler",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Path config = folder.resolve("pgbouncer.ini");
    Files.writeString(
        config,
        """
        [databases]
        %s = host=127.0.0.1 port=%s user=postgres password=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %s
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = %s
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(database, TestPostgres.shared().port(), port, SESSIONS));
    return new ProcessBuilder(PGBOUNCER.toString(), "-u", "nobody", config.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static boolean answers(String url) {
    try (var connection = TestPostgres.connect(DatabaseConfig.of(url, "postgres", "postgres"))) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** As a node does when it starts. */
  @Test
  void to_ask_for_the_schemas_version_leaves_the_shared_sessions_as_they_were() throws Exception {
    List<String> before = timeoutsOfTheSharedSessions();

    assertThat(Migrations.installed(bench.database)).isEqualTo(Migrations.NEEDED);

    assertThat(before).hasSize(SESSIONS);
    assertThat(timeoutsOfTheSharedSessions()).isEqualTo(before);
  }

  /** Each transaction keeps its session, so that the next one gets another. */
  private List<String> timeoutsOfTheSharedSessions() throws SQLException {
    List<String> timeouts = new ArrayList<>();
    List<Connection> open = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      Connection connection = TestPostgres.connect(bench.config);
      open.add(connection);
      connection.setAutoCommit(false);
      try (ResultSet row =
          connection
              .createStatement()
              .executeQuery(
                  "select current_setting('lock_timeout') || ' '"
                      + " || current_setting('idle_in_transaction_session_timeout')")) {
        row.next();
        timeouts.add(row.getString(1));
      }
    }
    for (Connection connection : open) {
      connection.close();
    }
    return timeouts;
  }

  @Test
  void every_verb_works_through_a_transaction_pooling_proxy() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    bench.start(
        WorkerBench.settings().withLease(Duration.ofSeconds(1)),
        context ->
            switch (context.job().payload()) {
              case "\"fail\"" -> Outcome.failed("http_500", "no");
              case "\"hold\"" -> {
                held.countDown();
                new CountDownLatch(1).await();
                yield Outcome.completed();
              }
              default -> Outcome.completed();
            });

    UUID failing = bench.submit("\"fail\"");
    UUID holding = bench.submit("\"hold\"");
    held.await();
    bench.jobs.submit(Collections.nCopies(500, NewJob.of(WorkerBench.KIND, "{}")));

    try (Submitter submitter = new Submitter(bench.database, null)) {
      NewJob unique = NewJob.builder(WorkerBench.KIND, "\"fail\"").uniqueKey("k").build();
      assertThat(submitter.submit(unique).duplicate()).isFalse();
      assertThat(submitter.submit(unique).duplicate()).isTrue();
      submitter.submit(NewJob.of(WorkerBench.KIND, "{}"));
    }

    bench.awaitState(failing, JobState.DEAD_LETTER);
    assertThat(bench.changes.act(failing, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    bench.awaitState(failing, JobState.DEAD_LETTER);
    assertThat(bench.changes.act(holding, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.REQUESTED);
    bench.awaitState(holding, JobState.CANCELLED);
    Await.until("all are done", () -> bench.count("ebb.history where not cancelled") == 501);
    Await.until("no lease is left", () -> bench.count("ebb.lease") == 0);
  }
}
