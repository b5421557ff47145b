package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.client.EbbJdbc;
import dev.ebb.client.InvalidJob;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Submitted;
import dev.ebb.client.TryAgain;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an application submits by the client, in its own transactions. */
class ClientSubmitTest {
  private static final String LONG = "x".repeat(201);
  private static final String FACES = "\uD83D\uDE00".repeat(101);
  private static final String OPEN_TRANSACTIONS =
      "pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String NO_TRACE = TRACE.replace("b7ad6b7169203331", "0".repeat(16));
  private static final JobKind<Paid> PAID = JobKind.of("paid", Paid.class);

  /** One for all: to make a database takes longer than any of them. */
  private static Bench bench;

  private final EbbJdbc ebb = EbbJdbc.create();
  private Connection connection;

  record Paid(int order) {}

  @BeforeAll
  static void openBench() {
    bench = new Bench();
  }

  @BeforeEach
  void open() throws SQLException {
    connection = TestPostgres.connect(bench.config);
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    bench.execute("delete from ebb.job");
  }

  @AfterAll
  static void closeBench() {
    bench.close();
  }

  private static Job<String> job() {
    return job("a", "1");
  }

  private static Job<String> job(String kind, String payload) {
    return JobKind.json(kind).job(payload);
  }

  @Test
  void a_job_is_stored_with_the_callers_commit_and_not_with_its_rollback() throws SQLException {
    ebb.submit(connection, PAID.job(new Paid(7)));
    connection.rollback();
    Submitted stored = ebb.submit(connection, PAID.job(new Paid(8)));
    assertThat(connection.isClosed()).isFalse();
    assertThat(bench.count("ebb.job")).as("nothing is committed but by the caller").isZero();
    connection.commit();

    assertThat(stored.isDuplicate()).isFalse();
    assertThat(text("select id || ' ' || payload from ebb.job"))
        .isEqualTo(stored.id() + " {\"order\":8}");
  }

  @Test
  void every_field_is_stored() throws SQLException {
    Job<String> full =
        job("paid", "[1.50, \"\\u0000\"]")
            .queue("merchants")
            .uniqueKey("k")
            .runAt(Instant.parse("9998-01-02T03:04:05.678901Z"))
            .labels(Map.of("order", "\"7\"\n"))
            .label("a", "")
            .priority(1)
            .maxAttempts(3)
            .orderingKey("m-7")
            .timeout(Duration.ofMillis(1500))
            .traceparent(TRACE);
    ebb.submit(connection, full);
    ebb.submit(
        connection, List.of(job().delay(Duration.ofDays(3650)).traceparent(TRACE), job("b", "2")));
    connection.commit();

    assertThat(
            text(
                """
                select concat_ws('|', kind, payload, queue, unique_key, run_at at time zone 'UTC',
                  labels, priority, max_attempts, ordering_key, timeout_millis, traceparent)
                from ebb.job where kind = 'paid'
                """))
        .isEqualTo(
            "paid|[1.50, \"\\u0000\"]|merchants|k|9998-01-02 03:04:05.678901"
                + "|{\"a\": \"\", \"order\": \"\\\"7\\\"\\n\"}|1|3|m-7|1500|"
                + TRACE);
    assertThat(bench.count("ebb.job where traceparent is not null")).isEqualTo(2);
    assertThat(bench.count("ebb.job where run_at - created_at = interval '87600 hours'")).isOne();
  }

  @Test
  void a_duplicate_is_the_holder_of_the_key() throws SQLException {
    Submitted first = ebb.submit(connection, job().uniqueKey("k"));

    assertThat(ebb.submit(connection, job().uniqueKey("k")))
        .isEqualTo(new Submitted(first.id(), true));
    List<Submitted> many = ebb.submit(connection, List.of(job(), job().uniqueKey("k")));
    assertThat(many.get(1)).isEqualTo(new Submitted(first.id(), true));
    assertThat(many.get(0).isDuplicate()).isFalse();
    assertThat(ebb.submit(connection, List.of())).isEmpty();
    connection.commit();
    assertThat(bench.count("ebb.job")).isEqualTo(2);
  }

  private static Arguments broken(Supplier<Job<?>> job, Supplier<NewJob> own) {
    return Arguments.of(job, own);
  }

  private static NewJob.Builder own() {
    return NewJob.builder("a", "1");
  }

  static Stream<Arguments> broken() {
    String large = "\"" + "x".repeat(65535) + "\"";
    Instant early = Instant.parse("1999-12-31T00:00:00Z");
    return Stream.of(
        broken(() -> job("7", "1"), () -> NewJob.of("7", "1")),
        broken(() -> job("a\n", "1"), () -> NewJob.of("a\n", "1")),
        broken(() -> job("x".repeat(64), "1"), () -> NewJob.of("x".repeat(64), "1")),
        broken(() -> job("a", ""), () -> NewJob.of("a", "")),
        broken(() -> job("a", "\"\0\""), () -> NewJob.of("a", "\"\0\"")),
        broken(() -> job("a", "\"\uD800\""), () -> NewJob.of("a", "\"\uD800\"")),
        broken(() -> job("a", large), () -> NewJob.of("a", large)),
        broken(() -> job().queue("Q"), () -> own().queue("Q").build()),
        broken(() -> job().uniqueKey(""), () -> own().uniqueKey("").build()),
        broken(() -> job().uniqueKey(LONG), () -> own().uniqueKey(LONG).build()),
        broken(() -> job().uniqueKey(FACES), () -> own().uniqueKey(FACES).build()),
        broken(() -> job().uniqueKey("\uD800"), () -> own().uniqueKey("\uD800").build()),
        broken(() -> job().runAt(early), () -> own().runAt(early).build()),
        broken(
            () -> job().delay(Duration.ofSeconds(-1)),
            () -> own().delay(Duration.ofSeconds(-1)).build()),
        broken(
            () -> job().delay(Duration.ofDays(3651)),
            () -> own().delay(Duration.ofDays(3651)).build()),
        broken(
            () -> job().runAt(Instant.now()).delay(Duration.ZERO),
            () -> own().runAt(Instant.now()).delay(Duration.ZERO).build()),
        broken(
            () -> job().delay(Duration.ZERO).runAt(Instant.now()),
            () -> own().runAt(Instant.now()).delay(Duration.ZERO).build()),
        broken(() -> job().priority(10), () -> own().priority(10).build()),
        broken(() -> job().priority(-1), () -> own().priority(-1).build()),
        broken(() -> job().maxAttempts(0), () -> own().maxAttempts(0).build()),
        broken(() -> job().maxAttempts(1001), () -> own().maxAttempts(1001).build()),
        broken(() -> job().orderingKey(""), () -> own().orderingKey("").build()),
        broken(() -> job().timeout(Duration.ZERO), () -> own().timeout(Duration.ZERO).build()),
        broken(
            () -> job().timeout(Duration.ofDays(2)),
            () -> own().timeout(Duration.ofDays(2)).build()),
        broken(
            () -> job().traceparent(TRACE.toUpperCase(Locale.ROOT)),
            () -> own().traceparent(TRACE.toUpperCase(Locale.ROOT)).build()),
        broken(() -> job().traceparent(NO_TRACE), () -> own().traceparent(NO_TRACE).build()),
        broken(() -> job().label("7", ""), () -> own().labels(Map.of("7", "")).build()),
        broken(() -> job().label("b", LONG), () -> own().labels(Map.of("b", LONG)).build()),
        broken(() -> job().labels(seventeen()), () -> own().labels(seventeen()).build()));
  }

  private static Map<String, String> seventeen() {
    return IntStream.range(0, 17).boxed().collect(Collectors.toMap(n -> "a" + n, _ -> ""));
  }

  /** The rules stand twice: the client runs on Java 17 and has no core. */
  @ParameterizedTest
  @MethodSource("broken")
  void a_broken_rule_has_the_servers_words_and_the_transaction_goes_on(
      Supplier<Job<?>> job, Supplier<NewJob> own) throws SQLException {
    InvalidInput expected = catchThrowableOfType(InvalidInput.class, own::get);
    InvalidJob refused =
        catchThrowableOfType(InvalidJob.class, () -> ebb.submit(connection, job.get()));

    assertThat(refused.getMessage()).isEqualTo(expected.getMessage());
    assertThat(refused.field()).isEqualTo(expected.field());
    assertThat(refused.rule()).isEqualTo(expected.rule());
    ebb.submit(connection, job());
    connection.commit();
    assertThat(bench.count("ebb.job")).isOne();
  }

  /** What a payload is, three judges say: the client, Ebb's Java, and Ebb's SQL. */
  static Stream<String> payloads() {
    return Stream.concat(SqlPayloadTest.unreadable(), morePayloads());
  }

  private static Stream<String> morePayloads() {
    return Stream.of(
        "{\"a\": 1, \"\\u0061\": 2}",
        "[1,]",
        "01",
        "1.",
        "-",
        "+1",
        ".5",
        "1e",
        "NaN",
        "nul",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\tb\"",
        "\"",
        "[1 2]",
        "{\"a\" 1}",
        "{a: 1}",
        "//\n1",
        "\u00a01",
        "\ufeff1",
        "\"\\u\uFF11\uFF11\uFF11\uFF11\"",
        // and what is one
        "1",
        " \t\r\n{}\n",
        "null",
        "true",
        "-0.0e+5",
        "\"\\u0000\\ud800\"",
        "\"\\/\"",
        "1E400",
        "{\"\": {\"\": 1}}",
        "[".repeat(500) + "]".repeat(500),
        "[" + "1".repeat(1000) + "]");
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void the_client_takes_the_payloads_that_the_server_takes(String payload) throws SQLException {
    boolean expected = isTaken(() -> bench.submit(NewJob.of("a", payload)));

    assertThat(isTaken(() -> ebb.submit(connection, job("a", payload)))).isEqualTo(expected);
    ebb.submit(connection, job());
    connection.commit();
    assertThat(bench.count("ebb.job")).as("SQL had nothing to refuse").isPositive();
  }

  private interface Attempt {
    void go() throws SQLException;
  }

  private static boolean isTaken(Attempt attempt) throws SQLException {
    try {
      attempt.go();
      return true;
    } catch (InvalidInput | InvalidJob refused) {
      return false;
    }
  }

  @Test
  void a_job_among_many_is_refused_by_its_place() throws SQLException {
    assertThatThrownBy(() -> ebb.submit(connection, List.of(job(), job("a", "{"))))
        .isInstanceOfSatisfying(
            InvalidJob.class, refused -> assertThat(refused.place()).hasValue(1));
    assertThatThrownBy(() -> ebb.submit(connection, List.of(job("a", "\"\\u0000\""))))
        .hasMessageContaining("submit it alone");
    assertThatThrownBy(() -> ebb.submit(connection, Collections.nCopies(1001, job())))
        .hasMessage("jobs must be at most 1000");
    assertThat(ebb.submit(connection, Collections.nCopies(1000, job()))).hasSize(1000);
  }

  @Test
  void what_the_database_alone_knows_names_its_field_too() throws SQLException {
    InvalidJob policy =
        catchThrowableOfType(
            InvalidJob.class, () -> ebb.submit(connection, job().policy("absent")));
    assertThat(policy.field()).isEqualTo("policy");
    assertThat(policy.rule()).isEqualTo("must be the name of a preset or of a stored policy");
    connection.rollback();

    InvalidJob many =
        catchThrowableOfType(
            InvalidJob.class,
            () -> ebb.submit(connection, List.of(job(), job(), job("http", "{}"))));
    assertThat(many.field()).isEqualTo("payload.url");
    assertThat(many.place()).hasValue(2);
    assertThat(many.isRetryable()).isFalse();
  }

  @Test
  void where_the_driver_keeps_the_details_no_job_is_blamed() throws SQLException {
    Properties terse = new Properties();
    terse.setProperty("user", bench.config.user());
    terse.setProperty("password", bench.config.password());
    terse.setProperty("logServerErrorDetail", "false");
    try (Connection connection = DriverManager.getConnection(bench.config.url(), terse)) {
      assertThatThrownBy(() -> ebb.submit(connection, List.of(job(), job().policy("absent"))))
          .isInstanceOfSatisfying(
              InvalidJob.class,
              refused -> {
                assertThat(refused.field()).isEqualTo("policy");
                assertThat(refused.place()).isEmpty();
              });
    }
  }

  @Test
  void a_key_that_another_transaction_holds_is_to_be_tried_again() throws SQLException {
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      ebb.submit(other, job().uniqueKey("k"));

      assertThatThrownBy(() -> ebb.submit(connection, job().uniqueKey("k")))
          .isInstanceOfSatisfying(
              TryAgain.class, again -> assertThat(again.isRetryable()).isTrue());
    }
  }

  @Test
  void a_holder_that_a_snapshot_does_not_show_is_to_be_tried_again() throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    ebb.submit(connection, job());
    bench.submit(own().uniqueKey("k").build());

    assertThatThrownBy(() -> ebb.submit(connection, job().uniqueKey("k")))
        .isInstanceOf(TryAgain.class);
  }

  @Test
  void a_data_source_gets_its_connection_back_with_the_transaction_ended() throws SQLException {
    for (boolean commits : List.of(true, false)) {
      DataSource source = new OneConnection(commits);
      ebb.submit(source, job());
      ebb.submit(source, List.of(job(), job()));
      assertThatThrownBy(() -> ebb.submit(source, job().policy("absent")))
          .isInstanceOf(InvalidJob.class);
    }

    assertThat(bench.count("ebb.job")).isEqualTo(6);
    assertThat(bench.count(OPEN_TRANSACTIONS)).isZero();
  }

  private String text(String sql) throws SQLException {
    try (Connection reads = TestPostgres.connect(bench.config);
        Statement statement = reads.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Opens a connection for each use, as a pool would hand one out. */
  private final class OneConnection implements DataSource {
    private final boolean commits;

    OneConnection(boolean commits) {
      this.commits = commits;
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection own = TestPostgres.connect(bench.config);
      own.setAutoCommit(commits);
      return own;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
