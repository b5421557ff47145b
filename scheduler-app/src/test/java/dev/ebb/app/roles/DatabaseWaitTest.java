package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Nodes that start before their database, or beside one that they can never use. */
class DatabaseWaitTest {
  private static final String LOOPBACK = "127.0.0.1";

  @Test
  @Proof
  void nodes_that_start_before_their_database_are_alive_and_run_jobs_once_it_answers()
      throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        Merchant merchant = Merchant.start(LOOPBACK, TestPostgres.freePort())) {
      DatabaseConfig database = postgres.newDatabase();
      postgres.stop();
      try (StartingNode api = new StartingNode(Node::startApi, database, Map.of());
          StartingNode worker = new StartingNode(Node::startWorker, database, allow(merchant))) {
        assertWaits(api);
        assertWaits(worker);
        assertThat(api.get("/readyz")).contains("database_unavailable");
        assertThat(worker.get("/readyz")).isEqualTo("database unavailable\n");

        postgres.restart();

        for (StartingNode node : List.of(worker, api)) {
          node.awaitStatus("/readyz", 200);
          assertThat(node.status("/startupz")).isEqualTo(200);
        }
        assertRunsJobs(api, merchant);
      }
    }
  }

  @Test
  @Proof
  void a_server_that_follows_is_waited_for_and_migrated_once_it_takes_writes() throws Exception {
    try (TestPostgres postgres = TestPostgres.start();
        Merchant merchant = Merchant.start(LOOPBACK, TestPostgres.freePort())) {
      DatabaseConfig database = postgres.newBareDatabase();
      postgres.follow();
      Map<String, String> variables = new HashMap<>(allow(merchant));
      variables.put("EBB_MIGRATE", "true");
      try (StartingNode node = new StartingNode(Node::startServer, database, variables)) {
        assertWaits(node);
        try (Database standby = Database.open(database)) {
          for (ThrowingCallable asked :
              List.<ThrowingCallable>of(standby::connection, standby::dedicatedConnection)) {
            assertThatThrownBy(asked).hasMessageContaining("is a standby, which takes no writes");
          }
        }

        postgres.execute("select pg_promote()");

        node.awaitStatus("/readyz", 200);
        node.awaitStarted();
        assertRunsJobs(node, merchant);
      }
    }
  }

  @Test
  void what_waiting_does_not_mend_ends_the_wait() throws Exception {
    TestPostgres postgres = TestPostgres.shared();
    postgres.execute("create role late login password 'late' connection limit 0");
    DatabaseConfig late = DatabaseConfig.of(postgres.newBareDatabase().url(), "late", "late");
    for (StartingNode.Role role : roles()) {
      postgres.execute("alter role late connection limit 0");
      try (StartingNode node = new StartingNode(role, late, Map.of())) {
        assertWaits(node);

        postgres.execute("alter role late connection limit 10");

        assertThat(refusal(node).sentence()).contains("no schema yet", "run ./ebb migrate");
      }
    }
  }

  @Test
  void a_login_that_is_refused_and_a_missing_database_end_the_start_before_it_listens()
      throws Exception {
    DatabaseConfig there = TestPostgres.shared().newDatabase();
    DatabaseConfig stranger = DatabaseConfig.of(there.url(), "stranger", "wrong");
    DatabaseConfig missing = TestPostgres.shared().config("missing");
    for (StartingNode.Role role : roles()) {
      for (DatabaseConfig database : List.of(stranger, missing)) {
        try (StartingNode node = new StartingNode(role, database, Map.of())) {
          CannotStart refused = refusal(node);

          assertThat(refused.sentence()).contains(database.address(), "EBB_DB_URL").hasLineCount(1);
          assertThat(refused.exitCode()).isEqualTo(1);
          assertThat(node.status("/livez")).isZero();
        }
      }
    }
  }

  @Test
  void a_refusal_that_no_time_mends_is_told_from_a_server_that_is_away() {
    for (String away : List.of("08001", "08006", "08P01", "25006", "53300", "57P03", "58000")) {
      assertThat(DatabaseWait.mayPass(new SQLException("away", away))).as(away).isTrue();
    }
    for (String refusal : List.of("08004", "28000", "28P01", "3D000", "42501", "42P01", "22023")) {
      assertThat(DatabaseWait.mayPass(new SQLException("refused", refusal))).as(refusal).isFalse();
    }
    String pooler = "FATAL: unsupported startup parameter in options: statement_timeout";
    assertThat(DatabaseWait.mayPass(new SQLException(pooler, "08P01"))).isFalse();
  }

  @Test
  void a_wait_is_told_at_once_with_where_and_why_and_then_only_now_and_then() throws Exception {
    DatabaseConfig nobody = nobody();

    assertThat(toldInTenLooks(nobody, Duration.ofDays(1)))
        .singleElement()
        .asString()
        .contains("waiting for the database at " + nobody.address(), "no connection (08001)")
        .contains("Connection refused");
    assertThat(toldInTenLooks(nobody, Duration.ZERO)).hasSize(10);
  }

  private static List<String> toldInTenLooks(DatabaseConfig config, Duration tellAgain) {
    Logger logger = (Logger) LoggerFactory.getLogger(DatabaseWait.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (Database database = Database.open(config)) {
      Settings settings = Settings.read(Map.of()).withDatabase(config, false);
      DatabaseWait wait = new DatabaseWait(settings, database, tellAgain);
      for (int i = 0; i < 10; i++) {
        assertThat(wait.look()).isFalse();
      }
    } finally {
      logger.detachAppender(log);
    }
    return log.list.stream()
        .filter(event -> event.getThreadName().equals(Thread.currentThread().getName()))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void a_node_that_waits_stops_when_it_is_told_to() throws Exception {
    for (StartingNode.Role role : roles()) {
      try (StartingNode node = new StartingNode(role, nobody(), Map.of())) {
        assertWaits(node);

        node.stop();

        node.awaitStarted();
        assertThat(node.status("/livez")).isZero();
      }
    }
  }

  @Test
  void a_node_that_is_told_to_stop_while_it_starts_ends_without_a_complaint() throws Exception {
    DatabaseConfig there = TestPostgres.shared().newDatabase();
    for (StartingNode.Role role : roles()) {
      for (DatabaseConfig database : List.of(there, nobody())) {
        try (StartingNode node = StartingNode.toldToStop(role, database)) {
          node.awaitStarted();

          assertThat(node.status("/livez")).isZero();
        }
      }
    }
  }

  private static DatabaseConfig nobody() {
    String address = LOOPBACK + ":" + TestPostgres.freePort();
    return DatabaseConfig.of("jdbc:postgresql://" + address + "/ebb", null, null);
  }

  private static List<StartingNode.Role> roles() {
    return List.of(Node::startServer, Node::startApi, Node::startWorker);
  }

  private static Map<String, String> allow(Merchant merchant) {
    return Map.of("EBB_DELIVERY_ALLOW", LOOPBACK + ":" + merchant.port());
  }

  private static void assertWaits(StartingNode node) throws Exception {
    node.awaitStatus("/livez", 200);
    assertThat(node.status("/startupz")).isEqualTo(503);
    assertThat(node.status("/readyz")).isEqualTo(503);
    assertThat(node.isStarting()).isTrue();
  }

  private static CannotStart refusal(StartingNode node) {
    return catchThrowableOfType(CannotStart.class, node::awaitStarted);
  }

  private static void assertRunsJobs(StartingNode api, Merchant merchant) throws Exception {
    String url = "http://" + LOOPBACK + ":" + merchant.port() + "/notifications";
    String submitted =
        api.post(
            "/v1/jobs", "{\"kind\":\"http\",\"payload\":{\"url\":\"" + url + "\",\"body\":{}}}");
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(submitted);
    assertThat(id.find()).as(submitted).isTrue();
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    String job = api.get("/v1/jobs/" + id.group(1));
    while (!job.contains("\"state\":\"completed\"") && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      job = api.get("/v1/jobs/" + id.group(1));
    }
    assertThat(job).contains("\"state\":\"completed\"");
  }
}
