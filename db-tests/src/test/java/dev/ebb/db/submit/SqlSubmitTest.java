package dev.ebb.db.submit;

import static dev.ebb.db.submit.SqlSubmits.ask;
import static dev.ebb.db.submit.SqlSubmits.first;
import static dev.ebb.db.submit.SqlSubmits.row;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.FunctionGrant;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.named.Policies;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What an application submits by {@code ebb.submit} and {@code ebb.submit_many}. */
class SqlSubmitTest {
  private static final String LONG = "x".repeat(201);
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String NO_TRACE = TRACE.replaceAll("-0{2}[0-9a-f]+", "-" + "0".repeat(16));

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  static Stream<Arguments> same() {
    NewJob.Builder one = NewJob.builder("paid", "{\"order\": 7}");
    return Stream.of(
        Arguments.of(
            NewJob.of("paid", "{\"order\": 7}"),
            "ebb.submit('paid', '{\"order\": 7}')",
            "{\"kind\":\"paid\",\"payload\":{\"order\": 7}}"),
        Arguments.of(
            NewJob.builder("paid", "{\"order\": 7}")
                .queue("merchants")
                .uniqueKey("k")
                .delay(Duration.ofMinutes(5))
                .build(),
            "ebb.submit('paid', '{\"order\": 7}', 'merchants', 'k', delay => '5 minutes')",
            """
            {"kind": "paid", "payload": {"order": 7}, "queue": "merchants", "uniqueKey": "k",
            "delay": "PT5M"}
            """),
        Arguments.of(
            one.runAt(Instant.parse("9998-01-02T03:04:05Z"))
                .labels(Map.of("order", "7", "a", ""))
                .priority(1)
                .maxAttempts(3)
                .orderingKey("m-7")
                .timeout(Duration.ofMillis(1500))
                .build(),
            """
            ebb.submit('paid', '{"order": 7}', run_at => '9998-01-02T03:04:05Z', options => '{
              "labels": {"order": "7", "a": ""}, "priority": 1, "maxAttempts": 3,
              "orderingKey": "m-7", "timeout": "PT1.5S"}')
            """,
            """
            {"kind": "paid", "payload": {"order": 7}, "runAt": "9998-01-02T03:04:05Z",
            "labels": {"order": "7", "a": ""}, "priority": 1, "maxAttempts": 3,
            "orderingKey": "m-7", "timeout": "PT1.5S"}
            """),
        Arguments.of(
            NewJob.builder("paid", "[1.50, \"\\u00e9 \\\" }\"]").queue("slow").build(),
            "ebb.submit('paid', '[1.50, \"\\u00e9 \\\" }\"]', queue => 'slow')",
            "{\"payload\":[1.50, \"\\u00e9 \\\" }\"],\"kind\":\"paid\",\"queue\":\"slow\"}"),
        Arguments.of(
            NewJob.builder("paid", "{}").policy(Presets.policy("svix")).build(),
            "ebb.submit('paid', '{}', options => '{\"policy\": \"own\"}')",
            "{\"kind\":\"paid\",\"payload\":{},\"policy\":\"own\"}"),
        Arguments.of(
            NewJob.of("http", "{\"url\": \"https://Shop.example:8443/paid?x\"}"),
            "ebb.submit('http', '{\"url\": \"https://Shop.example:8443/paid?x\"}')",
            "{\"kind\":\"http\",\"payload\":{\"url\": \"https://Shop.example:8443/paid?x\"}}"));
  }

  static Stream<Arguments> preset() {
    return Stream.of(
        Arguments.of(
            NewJob.builder("paid", "{}").policy(Presets.policy("adyen")).build(),
            "ebb.submit('paid', '{}', options => '{\"policy\": \"adyen\"}')",
            "{\"kind\":\"paid\",\"payload\":{},\"policy\":\"adyen\"}"));
  }

  /** The same of jobs that belong to a trace. */
  static Stream<Arguments> traced() {
    return Stream.of(false, true)
        .map(unique -> {
          String key = unique ? "k" : null;
          String option = "\"traceparent\":\"" + TRACE + "\"";
          return Arguments.of(
              NewJob.builder("paid", "{}").uniqueKey(key).traceparent(TRACE).build(),
              "ebb.submit('paid', '{}', unique_key => %s, options => '{%s}')"
                  .formatted(key == null ? "null" : "'k'", option),
              "{\"kind\":\"paid\",\"payload\":{},\"uniqueKey\":%s,%s}"
                  .formatted(key == null ? "null" : "\"k\"", option));
        });
  }

  @Test
  void presets_are_those_of_java() throws SQLException {
    for (String name : Presets.names()) {
      assertThat(
              bench.count(
                  "(select where ebb.preset('%s') = '%s') same"
                      .formatted(name, PolicyJson.write(Presets.policy(name)))))
          .as(name)
          .isOne();
    }
    assertThat(
            bench.count(
                "regexp_matches(pg_get_functiondef('ebb.preset(text)'::regprocedure),"
                    + " 'when ''', 'g')"))
        .isEqualTo(Presets.names().size());
  }

  /** The settings that a submit looks at. */
  private void settings() throws SQLException {
    bench.execute(
        """
        insert into ebb.queue (name, policy, labels_from)
        values ('slow', '{"maxAttempts": 4}', null), ('merchants', null, '{"order": "/order"}');
        """);
    new Policies(bench.database).put("own", Presets.policy("svix"), Bench.ACT, _ -> {});
  }

  @ParameterizedTest
  @MethodSource({"same", "preset", "traced"})
  void rows_and_tallies_are_those_of_a_submit_in_java(NewJob job, String one, String many)
      throws SQLException {
    settings();
    String expected = row(bench, bench.submit(job));
    String tally = tally();

    bench.execute("delete from ebb.job");
    bench.execute("delete from ebb.tally");
    assertThat(row(bench, ask(bench, one).getFirst())).isEqualTo(expected);
    assertThat(tally()).isEqualTo(tally);

    bench.execute("delete from ebb.job");
    bench.execute("delete from ebb.tally");
    assertThat(row(bench, ask(bench, "ebb.submit_many('[" + many + "]')").getFirst()))
        .isEqualTo(expected);
    assertThat(tally()).isEqualTo(tally);
  }

  private String tally() throws SQLException {
    return first(
        bench,
        "select string_agg(concat_ws(' ', counter, queue, kind, bucket, number, micros), ',')"
            + " from ebb.tally");
  }

  private static Arguments broken(String call, Supplier<NewJob> job) {
    return Arguments.of(call, job);
  }

  private static NewJob.Builder job() {
    return NewJob.builder("a", "1");
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken("'7', '1'", () -> NewJob.of("7", "1")),
        broken("'a\n', '1'", () -> NewJob.of("a\n", "1")),
        broken("'a', ''", () -> NewJob.of("a", "")),
        broken("'a', '1', 'Q'", () -> job().queue("Q").build()),
        broken(
            "'a', to_jsonb(repeat('x', 65535))::text",
            () -> NewJob.of("a", "\"" + "x".repeat(65535) + "\"")),
        broken("'a', '1', unique_key => ''", () -> job().uniqueKey("").build()),
        broken("'a', '1', unique_key => repeat('x', 201)", () -> job().uniqueKey(LONG).build()),
        broken(
            "'a', '1', unique_key => repeat('\uD83D\uDE00', 101)",
            () -> job().uniqueKey("\uD83D\uDE00".repeat(101)).build()),
        broken(
            "'a', '1', run_at => '1999-12-31Z'",
            () -> job().runAt(Instant.parse("1999-12-31T00:00:00Z")).build()),
        broken("'a', '1', delay => '-1s'", () -> job().delay(Duration.ofSeconds(-1)).build()),
        broken("'a', '1', delay => '3651 days'", () -> job().delay(Duration.ofDays(3651)).build()),
        broken(
            "'a', '1', run_at => now(), delay => '1s'",
            () -> job().runAt(Instant.now()).delay(Duration.ofSeconds(1)).build()),
        broken("'a', '1', options => '{\"priority\": 10}'", () -> job().priority(10).build()),
        broken("'a', '1', options => '{\"priority\": -1}'", () -> job().priority(-1).build()),
        broken(
            "'a', '1', options => '{\"maxAttempts\": 1001}'",
            () -> job().maxAttempts(1001).build()),
        broken(
            "'a', '1', options => '{\"orderingKey\": \"\"}'", () -> job().orderingKey("").build()),
        broken(
            "'a', '1', options => '{\"timeout\": \"PT0S\"}'",
            () -> job().timeout(Duration.ZERO).build()),
        broken(
            "'a', '1', options => '{\"timeout\": \"P2D\"}'",
            () -> job().timeout(Duration.ofDays(2)).build()),
        broken(
            "'a', '1', options => '{\"traceparent\": \"" + NO_TRACE + "\"}'",
            () -> job().traceparent(NO_TRACE).build()),
        broken(
            "'a', '1', options => '{\"labels\": {\"7\": \"\"}}'",
            () -> job().labels(Map.of("7", "")).build()),
        broken(
            "'a', '1', options => jsonb_build_object('labels', jsonb_build_object('b', repeat('x',"
                + " 201)))",
            () -> job().labels(Map.of("b", LONG)).build()));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void a_broken_rule_has_the_words_of_java_and_stores_nothing(String call, Supplier<NewJob> job)
      throws SQLException {
    ServerErrorMessage refused = refused("ebb.submit(" + call + ")");

    assertThatThrownBy(job::get)
        .isInstanceOfSatisfying(
            InvalidInput.class,
            own -> {
              assertThat(refused.getMessage()).isEqualTo(own.getMessage());
              assertThat(refused.getDetail()).isEqualTo("/" + own.field().replace('.', '/'));
            });
    assertThat(bench.count("ebb.job")).isZero();
  }

  private ServerErrorMessage refused(String call) {
    PSQLException refused = catchThrowableOfType(PSQLException.class, () -> ask(bench, call));
    assertThat(refused.getSQLState()).isEqualTo("EB001");
    return requireNonNull(refused.getServerErrorMessage());
  }

  static Stream<String> wrong() {
    return Stream.of(
        "{}",
        "[7]",
        "[{\"kind\": 7, \"payload\": 1}]",
        "[{\"kind\": \"a\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"kind\": \"b\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"runAt\": \"tomorrow\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"runAt\": \"2026-02-30T00:00:00Z\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"delay\": \"1 day\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"priority\": 1.5}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"labels\": {\"a\": 1}}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"policy\": \"absent\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"then\": {}}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"timeout\": \"1 hour\"}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"labels\": []}]",
        "[{\"kind\": \"a\", \"payload\": 1, \"orderingKey\": 7}]",
        "[{\"kind\": \"http\", \"payload\": {}}]",
        "[{\"kind\": \"http\", \"payload\": 1}]");
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void of_many_jobs_all_are_stored_or_none(String jobs) throws SQLException {
    String all =
        jobs.startsWith("[") ? "[{\"kind\": \"a\", \"payload\": 1}," + jobs.substring(1) : jobs;

    assertThat(refused("ebb.submit_many('" + all + "')").getDetail()).startsWith("/");
    assertThat(bench.count("ebb.job")).isZero();
    assertThat(bench.count("ebb.tally")).isZero();
  }

  @Test
  void more_than_a_thousand_jobs_are_refused_and_an_unknown_field_is_named() {
    assertThatThrownBy(() ->
            ask(
                bench,
                "ebb.submit_many((select json_agg(json_build_object('kind', 'a', 'payload', i))"
                    + " from generate_series(1, 1001) i))"))
        .hasMessageContaining("jobs must be at most 1000");
    assertThat(refused("ebb.submit_many('[{\"kynd\": 1}]')").getMessage())
        .startsWith("kynd is unknown; allowed are kind, payload, queue,");
  }

  /** A notification that comes before the commit would find nothing. */
  @Test
  void a_job_is_there_and_told_of_once_its_transaction_commits() throws SQLException {
    try (Connection listens = TestPostgres.connect(bench.config);
        Connection connection = TestPostgres.connect(bench.config);
        Statement listen = listens.createStatement()) {
      listen.execute("listen ebb");
      PGConnection hears = listens.unwrap(PGConnection.class);
      connection.setAutoCommit(false);
      ask(connection, "ebb.submit('a', '1', queue => 'kept')");
      connection.rollback();
      ask(connection, "ebb.submit('a', '1')");
      ask(connection, "ebb.submit('a', '2')");
      assertThat(bench.count("ebb.job")).isZero();
      connection.commit();

      assertThat(bench.count("ebb.job")).isEqualTo(2);
      assertThat(hears.getNotifications(30_000))
          .singleElement()
          .satisfies(told -> assertThat(told.getParameter()).isEqualTo("default"));
    }
  }

  @Test
  void a_unique_key_is_held_once_and_its_holder_is_the_answer() throws SQLException {
    UUID holder = bench.submit(job().uniqueKey("k").build());

    assertThat(ask(bench, "ebb.submit('a', '2', unique_key => 'k') where duplicate"))
        .containsExactly(holder);
    List<UUID> many =
        ask(
            bench,
            """
            ebb.submit_many('[
              {"kind": "a", "payload": 1, "uniqueKey": "new"},
              {"kind": "a", "payload": 2},
              {"kind": "a", "payload": 3, "uniqueKey": "new"},
              {"kind": "a", "payload": 4, "uniqueKey": "k"}]')
            """);
    assertThat(many).hasSize(4).endsWith(many.getFirst(), holder);
    assertThat(bench.count("ebb.job")).isEqualTo(3);
    assertThat(bench.count("(select sum(number) as n from ebb.tally) t where n = 3")).isOne();
  }

  @Test
  void ordering_keys_are_numbered_in_the_order_of_the_jobs() throws SQLException {
    List<UUID> ids =
        ask(
            bench,
            """
            ebb.submit_many('[
              {"kind": "a", "payload": 1, "orderingKey": "o", "uniqueKey": "z"},
              {"kind": "a", "payload": 2, "orderingKey": "o"},
              {"kind": "a", "payload": 3, "orderingKey": "o", "uniqueKey": "b"}]')
            """);

    assertThat(ask(bench, "ebb.job order by ordering_number")).isEqualTo(ids);
  }

  @Test
  void who_was_not_granted_it_may_not_submit_and_who_was_may_do_nothing_else() throws SQLException {
    bench.execute("create role app_of_submit_test login");
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      statement.execute("set role app_of_submit_test");
      assertThatThrownBy(() -> ask(connection, "ebb.submit('a', '1')"))
          .hasMessageContaining("permission denied");
      assertThat(
              FunctionGrant.grant(bench.database, FunctionGrant.Right.SUBMIT, "app_of_submit_test"))
          .isEqualTo(FunctionGrant.Result.DONE);

      assertThat(ask(connection, "ebb.submit('a', '1')")).hasSize(1);
      assertThat(ask(connection, "ebb.submit_many('[{\"kind\": \"a\", \"payload\": 1}]')"))
          .hasSize(1);
      for (String other : List.of("ebb.job", "ebb.store_given(null)", "ebb.rows_of(null)")) {
        assertThatThrownBy(() -> ask(connection, other)).hasMessageContaining("permission denied");
      }
    } finally {
      bench.execute("drop owned by app_of_submit_test; drop role app_of_submit_test");
    }
  }

  /** The functions run with their owner's rights. */
  @Test
  void a_callers_search_path_changes_nothing() throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create schema evil;
          create function evil.uuidv7() returns uuid language sql
            return '00000000-0000-0000-0000-000000000000'::uuid;
          set search_path = evil, pg_catalog
          """);

      assertThat(ask(connection, "ebb.submit('a', '1')").getFirst().version()).isEqualTo(7);
    }
  }

  @Test
  void a_day_is_a_day_in_whatever_time_zone_the_caller_is() throws SQLException {
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement()) {
      statement.execute("set timezone = 'Europe/Zurich'");
      ask(connection, "ebb.submit('a', '1', delay => '200 days')");
    }

    assertThat(bench.count("ebb.job where run_at - created_at = interval '4800 hours'")).isOne();
  }

  @Test
  void a_key_that_an_open_transaction_holds_is_waited_for_no_longer_than_two_seconds()
      throws SQLException {
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      ask(other, "ebb.submit('a', '1', unique_key => 'k')");

      assertThatThrownBy(() -> ask(bench, "ebb.submit('a', '2', unique_key => 'k')"))
          .isInstanceOfSatisfying(
              PSQLException.class, late -> assertThat(late.getSQLState()).isEqualTo("55P03"));
    }
  }
}
