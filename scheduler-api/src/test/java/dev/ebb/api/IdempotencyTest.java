package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Scope;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submits over REST with the header Idempotency-Key. */
class IdempotencyTest {
  private static final String JOB =
      "{\"kind\":\"report\",\"payload\":{\"n\": 1.0},\"delay\":\"PT1H\",\"labels\":{\"a\":\"b\"}}";

  private static final String WAITING =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
      """;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply post(String path, String key, String body) {
    return api.send(request(path, body).header("Idempotency-Key", key));
  }

  private static HttpRequest.Builder request(String path, String body) {
    return api.request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private static void assertReplays(Reply replay, Reply first) {
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(replay.header("idempotency-replayed")).isEqualTo("true");
    assertThat(replay.status()).isEqualTo(first.status());
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(replay.header("location")).isEqualTo(first.header("location"));
  }

  @Test
  void a_replay_has_the_status_the_body_and_the_place_of_the_first_answer() {
    long before = api.stored();
    double counted = api.meters().counter("ebb.submits.replayed").count();
    Reply first = post("/v1/jobs", "exact", JOB);
    assertThat(first.status()).isEqualTo(201);
    api.execute("update ebb.job set run_at = now(), priority = 1, version = version + 1");

    Reply replay = post("/v1/jobs", "\"exact\"", JOB);

    assertReplays(replay, first);
    assertThat(api.stored()).isEqualTo(before + 1);
    assertThat(api.meters().counter("ebb.submits.replayed").count()).isEqualTo(counted + 1);
  }

  @Test
  void a_replayed_duplicate_is_one_again_after_its_holder_has_ended() {
    String job = "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"u\"}";
    String holder = api.post("/v1/jobs", job).field("id");
    Reply first = post("/v1/jobs", "duplicate", job);
    assertThat(first.status()).isEqualTo(200);
    assertReplays(post("/v1/jobs", "duplicate", job), first);

    api.post("/v1/jobs/" + holder + "/cancel");

    Reply replay = post("/v1/jobs", "duplicate", job);
    assertThat(replay.status()).isEqualTo(200);
    assertThat(replay.field("id")).isEqualTo(holder);
    assertThat(replay.field("state")).isEqualTo("cancelled");
  }

  @Test
  void a_replay_shows_the_policy_that_the_name_stood_for_at_the_first_submit() {
    String policy =
        "{\"policy\":{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT9S\",\"maxAttempts\":2}}";
    String job = "{\"kind\":\"report\",\"payload\":1,\"policy\":\"changing\"}";
    String batch = "{\"jobs\":[" + job + "]}";
    api.put("/v1/policies/changing", policy);
    Reply first = post("/v1/jobs", "named", job);
    Reply firstBatch = post("/v1/jobs/batch", "named", batch);
    assertThat(first.status()).as(first.body()).isEqualTo(201);

    api.put("/v1/policies/changing", policy.replace("PT9S", "PT8S"), "If-Match", "*");
    assertReplays(post("/v1/jobs", "named", job), first);
    api.send(api.request("/v1/policies/changing").header("If-Match", "*").DELETE());

    assertReplays(post("/v1/jobs", "named", job), first);
    assertReplays(post("/v1/jobs/batch", "named", batch), firstBatch);
    assertThat(post("/v1/jobs", "another", job).status()).isEqualTo(400);
  }

  @Test
  void a_batch_is_replayed_whole() {
    String batch = "{\"jobs\":[" + JOB + "," + JOB + "]}";
    long before = api.stored();
    Reply first = post("/v1/jobs/batch", "batch", batch);
    assertThat(first.status()).isEqualTo(201);

    assertReplays(post("/v1/jobs/batch", "batch", batch), first);
    assertThat(api.stored()).isEqualTo(before + 2);
    Reply other = post("/v1/jobs/batch", "batch", batch.replace("1.0", "2"));
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.field("existing"))
        .isEqualTo("/v1/jobs/" + first.json().at("/items/0/id").asString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"n\": 1.00}", "{\"n\":1.0}", "{\"n\": 2.0}"})
  void a_key_with_another_body_is_refused_and_says_when_it_was_used_and_for_which_job(
      String payload) {
    Reply first = post("/v1/jobs", "of-one-body", JOB);
    long stored = api.stored();

    Reply other = post("/v1/jobs", "of-one-body", JOB.replace("{\"n\": 1.0}", payload));

    assertThat(other.status()).isEqualTo(422);
    assertThat(other.field("code")).isEqualTo("idempotency_key_reused");
    assertThat(other.json().path("retryable").asBoolean()).isFalse();
    assertThat(other.field("existing")).isEqualTo(first.header("location"));
    assertThat(other.field("detail")).contains(first.field("createdAt").replace("Z", ""));
    assertThat(api.stored()).isEqualTo(stored);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "\"\"", "\"a", "\"a\\b\"", "\"a\";p=1", "\"a\",\"b\"", ""})
  void a_key_that_breaks_the_rule_is_refused_by_name(String key) {
    Reply reply = post("/v1/jobs", key, JOB);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field("code")).isEqualTo("invalid_parameter");
    assertThat(reply.firstPointer()).isEqualTo("Idempotency-Key");
    assertThat(reply.field("detail")).contains("Idempotency-Key", "1 to 255 visible ASCII");
  }

  @Test
  void a_key_beyond_ascii_is_refused() throws IOException {
    String answer =
        api.raw(
            "POST /v1/jobs HTTP/1.1¶Host: 127.0.0.1¶Connection: close¶Idempotency-Key: \u00e9¶"
                + "Content-Type: application/json¶Content-Length: "
                + JOB.length()
                + "¶¶"
                + JOB);

    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("The header Idempotency-Key must be");
  }

  @Test
  void a_key_has_at_most_255_characters_and_is_given_once() {
    String longest = "x".repeat(255);
    assertThat(post("/v1/jobs", longest, JOB).status()).isEqualTo(201);
    assertThat(post("/v1/jobs", "\"" + longest + "\"", JOB).header("idempotency-replayed"))
        .isEqualTo("true");
    assertThat(post("/v1/jobs", longest + "x", JOB).status()).isEqualTo(400);
    assertThat(
            api.send(
                    request("/v1/jobs", JOB)
                        .header("Idempotency-Key", "a")
                        .header("Idempotency-Key", "a"))
                .status())
        .isEqualTo(400);
  }

  @Test
  void a_quote_and_a_backslash_stand_behind_a_backslash_in_quotes_alone() {
    Reply first = post("/v1/jobs", "\"a\\\"\\\\b\"", JOB);

    assertReplays(post("/v1/jobs", "a\"\\b", JOB), first);
  }

  @Test
  void a_refused_request_uses_no_key() {
    assertThat(post("/v1/jobs", "refused", JOB.replace("report", "!")).status()).isEqualTo(400);
    assertThat(post("/v1/jobs", "refused", "{").status()).isEqualTo(400);
    assertThat(post("/v1/jobs", "refused", JOB).status()).isEqualTo(201);
  }

  @Test
  void a_key_of_one_operation_means_nothing_to_another() {
    String batch = "{\"jobs\":[" + JOB + "]}";
    assertThat(post("/v1/jobs", "shared", JOB).status()).isEqualTo(201);
    assertThat(post("/v1/jobs/batch", "shared", batch).header("idempotency-replayed")).isEmpty();
    Reply pause = post("/v1/queues/keyed/pause", "not a key", "");

    assertThat(pause.status()).as("unknown to it, so ignored").isEqualTo(200);
  }

  @Test
  void while_a_request_is_being_served_another_with_its_key_is_told_to_come_again()
      throws Exception {
    String batch = "{\"jobs\":[" + JOB + "]}";
    for (String path : List.of("/v1/jobs", "/v1/jobs/batch")) {
      String body = path.endsWith("batch") ? batch : JOB;
      try (Connection stopping = api.connect()) {
        stopping.setAutoCommit(false);
        stopping.createStatement().execute("lock table ebb.job in exclusive mode");
        CompletableFuture<Reply> first =
            CompletableFuture.supplyAsync(() -> post(path, "slow", body));
        Await.until("it is being stored", () -> api.number(WAITING) == 1);

        Reply second = post(path, "slow", body);

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.field("code")).isEqualTo("idempotency_key_in_flight");
        assertThat(second.json().path("retryable").asBoolean()).isTrue();
        assertThat(second.header("retry-after")).isEqualTo("1");
        stopping.rollback();
        Reply answered = first.get();
        assertReplays(post(path, "slow", body), answered);
      }
    }
  }

  @Test
  void a_duplicate_is_rejected_where_the_submit_says_so() {
    String job = "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"r\",\"onDuplicate\":\"%s\"}";
    Reply first = post("/v1/jobs", "first", job.formatted("reject"));
    assertThat(first.status()).isEqualTo(201);
    long stored = api.stored();

    Reply rejected = post("/v1/jobs", "second", job.formatted("reject"));
    Reply batch =
        api.post("/v1/jobs/batch", "{\"jobs\":[" + JOB + "," + job.formatted("reject") + "]}");

    assertThat(rejected.status()).isEqualTo(409);
    assertThat(rejected.field("code")).isEqualTo("unique_key_taken");
    assertThat(rejected.field("existing")).isEqualTo(first.header("location"));
    assertThat(rejected.firstPointer()).isEqualTo("/uniqueKey");
    assertThat(batch.status()).isEqualTo(409);
    assertThat(batch.field("existing")).isEqualTo(first.header("location"));
    assertThat(batch.firstPointer()).isEqualTo("/jobs/1/uniqueKey");
    assertThat(post("/v1/jobs", "third", job.formatted("return")).status()).isEqualTo(200);
    assertReplays(post("/v1/jobs", "first", job.formatted("reject")), first);
    assertThat(api.stored()).isEqualTo(stored);
  }

  @Test
  void a_batch_with_a_key_twice_is_rejected_where_the_second_says_so() {
    String job =
        "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"twice\",\"onDuplicate\":\"reject\"}";

    Reply batch = api.post("/v1/jobs/batch", "{\"jobs\":[" + job + "," + job + "]}");

    assertThat(batch.status()).isEqualTo(409);
    assertThat(batch.firstPointer()).isEqualTo("/jobs/1/uniqueKey");
    assertThat(batch.json().has("existing")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"a\",\"payload\":1,\"onDuplicate\":\"reject\"}",
        "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"x\",\"onDuplicate\":\"Reject\"}",
        "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"x\",\"onDuplicate\":true}"
      })
  void on_duplicate_is_return_or_reject_and_needs_a_unique_key(String job) {
    assertThat(api.post("/v1/jobs", job).firstPointer()).isEqualTo("/onDuplicate");
    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":[" + job + "]}").firstPointer())
        .isEqualTo("/jobs/0/onDuplicate");
  }

  @Test
  void a_key_belongs_to_its_token_and_a_replay_hides_what_the_caller_may_not_see_now()
      throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    try (Database database = TestPostgres.open(config)) {
      String one = token(database, "one", Set.of(Scope.JOBS_SUBMIT, Scope.PAYLOAD_READ));
      String other = token(database, "other", Set.of(Scope.JOBS_SUBMIT));
      try (ApiServer closed = ApiServer.closed(config, AccessConfig.closed())) {
        Reply first = submit(closed, one);
        assertThat(first.body()).contains("{\"n\": 1.0}");
        assertThat(submit(closed, other).field("id")).isNotEqualTo(first.field("id"));
        closed.execute("update ebb.token set scopes = '{jobs:submit}' where name = 'one'");
        Await.until("the node knows", () -> !submit(closed, one).body().contains("\"n\""));

        Reply replay = submit(closed, one);

        assertThat(replay.header("idempotency-replayed")).isEqualTo("true");
        assertThat(replay.body()).isEqualTo(first.body().replace("{\"n\": 1.0}", "\"***\""));
        assertThat(closed.stored()).isEqualTo(2);
      }
    }
  }

  private static String token(Database database, String name, Set<Scope> scopes) throws Exception {
    return new Tokens(database)
        .create(new NewToken(name, scopes, null), Act.onMachine("./ebb"))
        .orElseThrow()
        .text();
  }

  private static Reply submit(ApiServer closed, String token) {
    return closed.send(
        closed
            .request("/v1/jobs")
            .header("Authorization", "Bearer " + token)
            .header("Idempotency-Key", "k")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JOB)));
  }
}
