package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.operation.OperationCarrier;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a destination lost, and gets again. */
class RecoveryTest {
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String since = "{\"since\":\"" + now.minus(2, ChronoUnit.HOURS) + "\"%s}";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(DATABASE);
    api.execute(
        """
        truncate ebb.operation, ebb.operation_item, ebb.dead_letter, ebb.job, ebb.queue
        cascade
        """);
    api.put("/v1/destinations/acme", "{\"url\":\"https://acme.example/\"}");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void dead(String queue, int hoursAgo) {
    api.execute(
        """
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(interval '-4 h'), 'r', 'timeout', 'no', now(), 'n', now(), now(), at, 1, 3, 3, 5, '%s',
          'http', '{}'
        from (select timestamptz '%s' - interval '%s h' as at) t
        """
            .formatted(queue, now, hoursAgo));
  }

  private Reply recover(String members) {
    return api.post("/v1/destinations/acme/recover", since.formatted(members));
  }

  private Reply keyed(String body) {
    return api.send(
        api.request("/v1/destinations/acme/recover")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "night")
            .POST(BodyPublishers.ofString(body)));
  }

  private void carryOut() throws SQLException {
    try (Database database = TestPostgres.open(DATABASE)) {
      OperationCarrier carrier = new OperationCarrier(database);
      while (carrier.step().isPresent()) {}
    }
  }

  private String count(String table) throws SQLException {
    return api.text("select count(*) from ebb." + table);
  }

  @Test
  void what_died_since_then_runs_again_and_nothing_else_does() throws SQLException {
    dead("acme", 3);
    dead("acme", 2);
    dead("acme", 1);
    dead("other", 1);
    String job = "{\"kind\":\"http\",\"destination\":\"acme\",\"payload\":{\"body\":1}}";
    String waits = api.post("/v1/jobs", job).field("id");
    String gone = api.post("/v1/jobs", job).field("id");
    api.post("/v1/jobs/" + gone + "/cancel", "{}");

    Reply started = recover(",\"stages\":[1000000],\"expectedCount\":2,\"reason\":\"mended\"");

    assertThat(started.status()).as(started.body()).isEqualTo(202);
    assertThat(started.header("location")).isEqualTo("/v1/operations/" + started.field("id"));
    assertThat(started.field("action")).isEqualTo("redrive");
    assertThat(started.json().path("matched").asInt()).isEqualTo(2);
    assertThat(started.json().path("warmUp").asBoolean()).isTrue();
    assertThat(started.json().path("resetAttempts").asBoolean()).isTrue();
    carryOut();
    assertThat(api.get("/v1/operations/" + started.field("id")).json().path("done").asInt())
        .isEqualTo(2);
    assertThat(count("dead_letter")).isEqualTo("2");
    assertThat(count("job where queue = 'acme'")).isEqualTo("3");
    assertThat(count("job where id = '" + waits + "' and version = 0")).isEqualTo("1");
    assertThat(api.get("/v1/jobs/" + gone).field("state")).isEqualTo("cancelled");
  }

  @Test
  void a_preview_tells_how_many_of_what_since_when_and_how_long_and_starts_nothing()
      throws SQLException {
    for (int hours : new int[] {3, 2, 1, 0}) {
      dead("acme", hours);
    }
    dead("other", 1);
    api.execute(
        """
        update ebb.dead_letter
        set failure_reason = 'http_503'
        where died_at > now() - interval '30 min'
        """);
    String path = "/v1/destinations/acme/recover/preview";

    Reply fast = api.post(path, since.formatted(""));

    assertThat(fast.status()).as(fast.body()).isEqualTo(200);
    assertThat(fast.json().path("matched").asInt()).isEqualTo(3);
    assertThat(fast.json().path("exact").asBoolean()).isTrue();
    assertThat(fast.json().path("sample")).hasSize(3);
    assertThat(fast.json().path("takesAtLeast").isMissingNode()).isTrue();
    assertThat(fast.json().path("failures").toString())
        .isEqualTo(
            "[{\"reason\":\"timeout\",\"jobs\":2,\"firstAt\":\"%s\",\"lastAt\":\"%s\"},"
                    .formatted(now.minus(2, ChronoUnit.HOURS), now.minus(1, ChronoUnit.HOURS))
                + "{\"reason\":\"http_503\",\"jobs\":1,\"firstAt\":\"%1$s\",\"lastAt\":\"%1$s\"}]"
                    .formatted(now));
    assertThat(api.post(path, since.formatted(",\"rate\":\"1/s\"")).field("takesAtLeast"))
        .isEqualTo("PT3S");
    // Three times as slow from cold: the third permit comes before nine seconds.
    api.put(
        "/v1/destinations/acme",
        """
        {"url": "https://acme.example/",
         "rateLimit": {"permitsPerSecond": 1, "warmUp": "PT1H", "coldFactor": 3}}
        """,
        "If-Match",
        "*");
    assertThat(api.post(path, since.formatted("")).field("takesAtLeast")).startsWith("PT8.9");
    assertThat(count("operation")).isEqualTo("0");
    assertThat(count("dead_letter")).isEqualTo("5");
  }

  @Test
  void what_died_later_than_until_stays_dead() throws SQLException {
    dead("acme", 2);
    dead("acme", 1);
    dead("acme", 0);

    Reply started = recover(",\"until\":\"" + now.minus(1, ChronoUnit.HOURS) + "\"");
    carryOut();

    assertThat(started.json().path("matched").asInt()).isEqualTo(1);
    assertThat(count("dead_letter")).isEqualTo("2");
  }

  @Test
  void it_goes_in_stages_unless_the_body_names_others() {
    Reply usual = recover("");
    Reply own = recover(",\"stages\":[5],\"pauseAfterStages\":1,\"rate\":\"2/s\"");

    assertThat(usual.json().path("stages").toString()).isEqualTo("[1,10,100]");
    assertThat(usual.json().path("stopOnFailureRatio").asDouble()).isEqualTo(0.2);
    assertThat(own.json().path("stages").toString()).isEqualTo("[5]");
    assertThat(own.json().path("pauseAfterStages").asInt()).isEqualTo(1);
    assertThat(own.json().path("ratePerSecond").asInt()).isEqualTo(2);
  }

  @Test
  void a_repeat_under_its_key_starts_nothing_and_the_audit_says_who_did() throws SQLException {
    dead("acme", 1);
    String body = since.formatted(",\"reason\":\"mended\"");

    Reply first = keyed(body);
    carryOut();
    Reply again = keyed(body);

    assertThat(again.status()).isEqualTo(202);
    assertThat(again.field("id")).isEqualTo(first.field("id"));
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(count("operation")).isEqualTo("1");
    assertThat(api.text("select reason from ebb.audit where subject = '" + first.field("id") + "'"))
        .isEqualTo("mended");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                     | /since
          {"since":"yesterday"}                                                  | /since
          {"since":"2999-01-01T00:00:00Z"}                                       | /since
          {"since":"1999-01-01T00:00:00Z"}                                       | /since
          {"since":"2026-01-02T00:00:00Z","until":"2026-01-02T00:00:00Z"}        | /until
          {"since":"2026-01-02T00:00:00Z","rate":"much"}                         | /rate
          {"since":"2026-01-02T00:00:00Z","stages":[0]}                          | /stages
          {"since":"2026-01-02T00:00:00Z","action":"cancel"}                     | /action
          """)
  void a_body_that_breaks_a_rule_starts_nothing(String body, String pointer) throws SQLException {
    for (String path : List.of("", "/preview")) {
      Reply refused = api.post("/v1/destinations/acme/recover" + path, body);
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
    }
    assertThat(count("operation")).isEqualTo("0");
  }

  @Test
  void a_queue_without_an_address_is_no_destination() throws SQLException {
    dead("plain", 1);

    Reply refused = api.post("/v1/destinations/plain/recover", since.formatted(""));

    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.field("code")).isEqualTo("destination_not_found");
    assertThat(count("operation")).isEqualTo("0");
  }

  @Test
  void other_numbers_than_expected_start_nothing() throws SQLException {
    dead("acme", 1);

    Reply refused = recover(",\"expectedCount\":5");

    assertThat(refused.field("code")).isEqualTo("count_differs");
    assertThat(count("operation")).isEqualTo("0");
  }
}
