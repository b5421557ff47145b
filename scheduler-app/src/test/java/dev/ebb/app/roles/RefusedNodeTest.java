package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose database refuses to log it in, or to serve it, after the node has started. */
class RefusedNodeTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String JOB = "{\"kind\":\"none\",\"payload\":{}}";
  private static final AtomicInteger ROLES = new AtomicInteger();

  private static final TestPostgres POSTGRES = TestPostgres.shared();

  /** Of the refusals, each of which it gets over. */
  private static DatabaseConfig config;

  private static StartingNode node;

  @BeforeAll
  static void start() throws Exception {
    config = ofRole("first");
    node = new StartingNode(Node::startServer, config, Map.of());
    node.awaitStarted();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @TempDir @Nullable Path folder;

  /** What whoever runs the server does, and takes back. */
  enum Taken {
    LOGIN("alter role ROLE nologin", "alter role ROLE login"),
    TIME("alter role ROLE valid until '2020-01-01'", "alter role ROLE valid until 'infinity'"),
    PASSWORD("alter role ROLE password 'other'", "alter role ROLE password 'first'"),
    CONNECTIONS("alter role ROLE connection limit 0", "alter role ROLE connection limit -1"),
    DATABASE(
        "alter database BASE allow_connections false",
        "alter database BASE allow_connections true"),
    // None may use a database that is renamed, and the node comes back at once.
    NAME(
        """
        alter database BASE allow_connections false;
        select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = 'BASE';
        alter database BASE rename to BASE_away;
        alter database BASE_away allow_connections true\
        """,
        "alter database BASE_away rename to BASE"),
    RIGHT(
        "revoke connect on database BASE from public", "grant connect on database BASE to public"),
    ROWS("revoke pg_write_all_data from ROLE", "grant pg_write_all_data to ROLE"),
    WRITES(
        "alter role ROLE set default_transaction_read_only = on",
        "alter role ROLE reset default_transaction_read_only");

    private final String sql;
    private final String back;

    Taken(String sql, String back) {
      this.sql = sql;
      this.back = back;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_while_the_node_runs_is_told_as_one_that_passes_and_it_recovers(Taken taken)
      throws Exception {
    assertThat(node.answer("/v1/jobs", JOB).statusCode()).isEqualTo(201);

    execute(taken.sql, config);
    HttpResponse<String> refused = awaitRefused(node, config);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(refused.body()).contains("\"code\":\"database_unavailable\"", "\"retryable\":true");
    assertThat(node.status("/livez")).isEqualTo(200);
    node.awaitStatus("/readyz", 503);
    if (taken != Taken.ROWS && taken != Taken.WRITES) {
      assertThat(node.status("/v1/queues/default")).isEqualTo(503);
      assertThat(node.status("/ui")).isEqualTo(503);
    }

    execute(taken.back, config);

    awaitServed(node);
    node.awaitStatus("/readyz", 200);
  }

  @Test
  void a_rotated_password_is_read_from_its_file_by_a_running_node() throws Exception {
    DatabaseConfig rotated = ofRole("first");
    Path file = Files.writeString(folder().resolve("password"), "first\n");
    try (StartingNode own =
        new StartingNode(Node::startServer, rotated.withPasswordFile(file), Map.of())) {
      own.awaitStarted();

      execute("alter role ROLE password 'second'", rotated);
      assertThat(awaitRefused(own, rotated).statusCode()).isEqualTo(503);
      Files.writeString(file, "second\n");

      awaitServed(own);
      own.awaitStatus("/readyz", 200);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_node_whose_claims_keep_failing_is_not_ready_and_says_why(Kind kind) throws Exception {
    DatabaseConfig broken = POSTGRES.newDatabase();
    try (StartingNode api = new StartingNode(Node::startApi, broken, Map.of());
        StartingNode own = new StartingNode(kind.role, broken, Map.of())) {
      api.awaitStarted();
      own.awaitStarted();
      own.awaitStatus("/readyz", 200);
      in(broken, BROKEN_CLAIMS);

      api.post("/v1/jobs", "{\"kind\":\"http\",\"payload\":{\"url\":\"http://127.0.0.1:9/\"}}");

      own.awaitStatus("/readyz", 503);
      assertThat(own.get("/readyz"))
          .contains("claims keep failing", "the role lacks a right (42501)")
          .doesNotContain("no claims today");
      assertThat(own.status("/livez")).isEqualTo(200);
      assertThat(api.status("/readyz")).isEqualTo(200);

      in(broken, "drop trigger broken on ebb.lease");

      own.awaitStatus("/readyz", 200);
    }
  }

  /** A process with a worker. */
  enum Kind {
    WORKER(Node::startWorker),
    SERVER(Node::startServer);

    @SuppressWarnings("ImmutableEnumChecker") // A reference to a method, without state.
    private final StartingNode.Role role;

    Kind(StartingNode.Role role) {
      this.role = role;
    }
  }

  private static final String BROKEN_CLAIMS =
      """
      create function public.broken() returns trigger language plpgsql as $$
      begin
        raise insufficient_privilege using message = 'no claims today';
      end $$;
      create trigger broken before insert on ebb.lease
        for each statement execute function public.broken();
      """;

  /** The database of a role that may read and write every row, and is no superuser. */
  private static DatabaseConfig ofRole(String password) {
    String role = "refused_" + ROLES.incrementAndGet();
    POSTGRES.execute("create role " + role + " login password '" + password + "'");
    POSTGRES.execute("grant pg_read_all_data, pg_write_all_data to " + role);
    return DatabaseConfig.of(POSTGRES.newDatabase().url(), role, password);
  }

  /** Each statement for itself: together they would be one transaction. */
  private static void execute(String sql, DatabaseConfig at) {
    for (String statement : sql.split(";", -1)) {
      POSTGRES.execute(
          statement
              .replace("ROLE", String.valueOf(at.user()))
              .replace("BASE", TestPostgres.nameOf(at)));
    }
  }

  /**
   * The first answer that is not that of a job that was stored. A connection that was being made at
   * the time of the change is not seen until it is there, and serves until it is cut.
   */
  private static HttpResponse<String> awaitRefused(StartingNode of, DatabaseConfig at)
      throws Exception {
    List<HttpResponse<String>> answers = new ArrayList<>();
    Await.until(
        "nothing is stored",
        () -> {
          cut(at);
          answers.add(of.answer("/v1/jobs", JOB));
          return answers.getLast().statusCode() != 201;
        });
    return answers.getLast();
  }

  /** Has every connection made anew. */
  private static void cut(DatabaseConfig at) {
    execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ROLE'", at);
  }

  private static void in(DatabaseConfig database, String sql) throws Exception {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void awaitServed(StartingNode refused) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (refused.answer("/v1/jobs", JOB).statusCode() != 201) {
      assertThat(System.nanoTime()).as("it is served again").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private Path folder() {
    return Objects.requireNonNull(folder);
  }
}
