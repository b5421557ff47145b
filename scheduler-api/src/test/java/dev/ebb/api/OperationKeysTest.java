package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.operation.OperationCarrier;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations that are started with the header Idempotency-Key. */
class OperationKeysTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();
  private static final String REDRIVE =
      "{\"action\":\"redrive\",\"filter\":{\"queue\":[\"q\"]},\"expectedCount\":3}";

  private static final String WAITING =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
      """;

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(DATABASE);
    api.execute(
        """
        truncate ebb.operation, ebb.operation_item, ebb.dead_letter, ebb.job, ebb.idempotency;
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, died_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(), 'r', 'timeout', 'no', now(), 'n', now(), now(), now(), 1, 3, 3, 5, 'q',
          'a', '1'
        from generate_series(1, 3)
        """);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Reply post(String key, String body) {
    return api.send(request(api, key, body));
  }

  private static HttpRequest.Builder request(ApiServer server, String key, String body) {
    return server
        .request("/v1/operations")
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString(body));
  }

  private static void carryOut() throws SQLException {
    try (Database database = TestPostgres.open(DATABASE)) {
      OperationCarrier carrier = new OperationCarrier(database);
      while (carrier.step().isPresent()) {}
    }
  }

  private long started() {
    return api.number("select count(*) from ebb.operation");
  }

  private static void assertReplays(Reply replay, Reply first) {
    assertThat(first.status()).as(first.body()).isEqualTo(202);
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(replay.status()).as(replay.body()).isEqualTo(202);
    assertThat(replay.header("idempotency-replayed")).isEqualTo("true");
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(replay.header("location")).isEqualTo(first.header("location"));
  }

  @Test
  void a_replay_starts_nothing_and_is_answered_as_the_first_was() throws SQLException {
    Reply first = post("click", REDRIVE);
    long audited = api.number("select count(*) from ebb.audit");

    assertReplays(post("\"click\"", REDRIVE), first);

    assertThat(started()).isOne();
    assertThat(api.number("select count(*) from ebb.audit")).isEqualTo(audited);
    carryOut();
    assertReplays(post("click", REDRIVE), first);
    assertThat(api.get(first.header("location")).field("state")).isEqualTo("completed");
    assertThat(api.get("/metrics").body()).contains("ebb_operations_replayed_total 2.0");
  }

  @Test
  void control_without_a_key_a_second_click_starts_a_second_operation() {
    api.post("/v1/operations", REDRIVE);
    api.post("/v1/operations", REDRIVE);

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void a_key_with_another_body_is_refused_and_leads_to_its_operation() {
    Reply first = post("reused", REDRIVE);

    Reply other = post("reused", REDRIVE.replace("3}", "4}"));

    assertThat(other.status()).isEqualTo(422);
    assertThat(other.field("code")).isEqualTo("idempotency_key_reused");
    assertThat(other.field("existing")).isEqualTo(first.header("location"));
    assertThat(started()).isOne();
  }

  @Test
  void refused_requests_use_no_key() {
    assertThat(post("free", REDRIVE.replace("3}", "9}")).field("code")).isEqualTo("count_differs");
    assertThat(post("free", "{\"action\":\"no\"}").status()).isEqualTo(400);

    assertThat(post("free", REDRIVE).status()).isEqualTo(202);
    assertThat(post("a b", REDRIVE).firstPointer()).isEqualTo("Idempotency-Key");
  }

  @Test
  void while_a_request_is_being_served_another_with_its_key_is_told_to_come_again()
      throws Exception {
    try (Connection stopping = api.connect()) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("lock table ebb.operation in exclusive mode");
      CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> post("slow", REDRIVE));
      Await.until("it is being stored", () -> api.number(WAITING) == 1);

      Reply second = post("slow", REDRIVE);

      assertThat(second.status()).as(second.body()).isEqualTo(409);
      assertThat(second.field("code")).isEqualTo("idempotency_key_in_flight");
      assertThat(second.header("retry-after")).isEqualTo("1");
      stopping.rollback();
      Reply served = first.get();
      assertReplays(post("slow", REDRIVE), served);
    }
    assertThat(started()).isOne();
  }

  @Test
  void a_key_that_was_used_a_day_ago_is_free() {
    post("old", REDRIVE);
    api.execute("update ebb.idempotency set created_at = now() - interval '24 hours 1 second'");

    assertThat(post("old", REDRIVE).header("idempotency-replayed")).isEmpty();
    assertThat(started()).isEqualTo(2);
  }

  @Test
  void a_key_belongs_to_its_token() {
    AccessConfig access = AccessConfig.of(ADMIN, List.of());
    try (ApiServer closed = ApiServer.closed(DATABASE, access)) {
      String body = "{\"name\":\"op\",\"role\":\"operator\"}";
      String operator =
          closed
              .send(
                  closed
                      .request("/v1/tokens")
                      .header("Authorization", "Bearer " + ADMIN)
                      .header("Content-Type", "application/json")
                      .POST(BodyPublishers.ofString(body)))
              .field("token");
      Reply first = as(closed, ADMIN);

      assertThat(as(closed, operator).header("location")).isNotEqualTo(first.header("location"));
      assertReplays(as(closed, ADMIN), first);
    }
  }

  private static Reply as(ApiServer server, String token) {
    String body = REDRIVE.replace("3}", "3,\"reason\":\"mended\"}");
    return server.send(request(server, "mine", body).header("Authorization", "Bearer " + token));
  }
}
