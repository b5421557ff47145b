package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.json.NewJobJson;
import dev.ebb.db.json.TemplateJson;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the job of a schedule carries is masked as that of any job, and outlives an edit. */
class ScheduleSecretsTest {
  private static final String SECRET = "Bearer 4111";
  private static final String DELIVERY =
      """
      {"every": "PT1H", "job": {"kind": "http", "payload":
      {"url": "https://merchant.example/report", "headers": {"Authorization": "%s"}, "body":  [1.50]}}}
      """
          .formatted(SECRET);

  private static final String WAITING =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
      """;

  private static ApiServer api;

  @BeforeAll
  static void start() {
    AccessConfig access = AccessConfig.of(ApiServer.ADMIN, List.of("/card"));
    api = ApiServer.closed(TestPostgres.shared().newDatabase(), access);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply send(String method, String path, String body, String token) {
    HttpRequest.Builder request =
        api.request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json");
    if (method.equals("PUT")) {
      String tag = send("GET", path, "", token).header("etag");
      request = tag.isEmpty() ? request : request.header("If-Match", tag);
    }
    return api.send(request.method(method, BodyPublishers.ofString(body)));
  }

  private static Reply put(String name, String body) {
    return send("PUT", "/v1/schedules/" + name, body, ApiServer.ADMIN);
  }

  private static Reply get(String name, String token) {
    return send("GET", "/v1/schedules/" + name, "", token);
  }

  private static String token(String name, Set<Scope> scopes) {
    String words = scopes.stream().map(Scope::word).collect(Collectors.joining("\",\""));
    String body = "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(name, words);
    return send("POST", "/v1/tokens", body, ApiServer.ADMIN).field("token");
  }

  private static String stored(String name) {
    return api.text(
        "select * from (select s::text from ebb.schedule s where name = '%s') row".formatted(name));
  }

  /** The body that would put back what a GET answered. */
  private static String sentBack(Reply shown) {
    return "{\"every\":\"PT2H\",\"job\":" + shown.json().path("job") + "}";
  }

  @Test
  void nobody_is_shown_the_secrets_of_a_delivery() {
    put("shown", DELIVERY);

    assertThat(get("shown", ApiServer.ADMIN).body()).doesNotContain("4111").contains("[1.50]");
    assertThat(send("GET", "/v1/schedules", "", ApiServer.ADMIN).body())
        .contains("\"shown\"")
        .doesNotContain("merchant.example");
  }

  @Test
  void a_payload_that_is_sent_back_as_it_was_shown_stays_as_it_was() {
    put("kept", DELIVERY);

    Reply again = put("kept", sentBack(get("kept", ApiServer.ADMIN)));

    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json().path("every").asString()).isEqualTo("PT2H");
    assertThat(stored("kept")).contains(SECRET).doesNotContain("***");
    String job = send("POST", "/v1/schedules/kept/run", "", ApiServer.ADMIN).field("jobId");
    assertThat(api.text("select payload from ebb.job where id = '" + job + "'"))
        .contains(SECRET, "\"body\":  [1.50]");
  }

  private static final String FOLLOWED =
      """
      {"every": "PT1H", "job": {"kind": "ask", "payload": {"of": "balances"}, "uniqueKey": "{epoch}",
      "then": {
        "completed": {"kind": "http", "delay": "PT1M", "resultPointer": "/body/asked", "payload":
          {"url": "https://merchant.example/done", "headers": {"Authorization": "%1$s"},
           "body": {"n": 1.50}}},
        "deadLetter": {"kind": "cancel", "payload": {"n":  1.50}, "uniqueKey": "{epoch}-cancel"}}}}
      """
          .formatted(SECRET);

  @Test
  void what_follows_its_jobs_is_masked_kept_when_sent_back_and_planned_by_each_fire() {
    assertThat(put("followed", FOLLOWED).status()).isEqualTo(201);
    Reply shown = get("followed", ApiServer.ADMIN);

    Reply again = put("followed", sentBack(shown));

    assertThat(shown.body()).contains("merchant.example/done", "PT1M").doesNotContain("4111");
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json().at("/job/then")).isEqualTo(shown.json().at("/job/then"));
    assertThat(stored("followed")).contains(SECRET).doesNotContain("***");
    assertThat(send("GET", "/v1/audit?subject=followed", "", ApiServer.ADMIN).body())
        .doesNotContain("4111");
    String job = send("POST", "/v1/schedules/followed/run", "", ApiServer.ADMIN).field("jobId");
    String plans = api.text("select follow_ups::text from ebb.job where id = '%s'".formatted(job));
    String key = api.text("select unique_key from ebb.job where id = '%s'".formatted(job));
    assertThat(plans).contains(SECRET, "/body/asked", key + "-cancel", "{\\\"n\\\":  1.50}");
    assertThat(
            send("GET", "/v1/jobs/" + job, "", ApiServer.ADMIN).json().at("/then/completed/kind"))
        .hasToString("\"http\"");
    Reply masked =
        put("followed", sentBack(shown).replace("merchant.example/done", "merchant.example/gone"));
    assertThat(masked.status()).as("a mask in the place of a secret").isEqualTo(400);
    Reply without =
        put("followed", "{\"every\":\"PT1H\",\"job\":{\"kind\":\"ask\",\"payload\":1}}");
    assertThat(without.json().at("/job/then").isMissingNode()).isTrue();
  }

  @Test
  void a_version_without_follow_ups_leaves_such_a_schedule_to_others() {
    put("newer", FOLLOWED);
    String stored = api.text("select job::text from ebb.schedule where name = 'newer'");

    assertThatThrownBy(() -> NewJobJson.read(stored)).hasMessageContaining("followUps");
    assertThat(TemplateJson.read(stored).then()).isNotNull();
  }

  @Test
  void a_masked_value_is_not_replaced_by_its_mask_when_another_is_changed() {
    put(
        "paid",
        """
        {"every": "PT1H", "job": {"kind": "report", "payload": {"card": "4111", "of": "balances"}}}
        """);
    String token =
        token("blind too", Set.of(Scope.JOBS_READ, Scope.JOBS_SUBMIT, Scope.QUEUES_ADMIN));
    String masks = sentBack(get("paid", token));
    assertThat(masks).contains("***").doesNotContain("4111");

    Reply other = send("PUT", "/v1/schedules/paid", masks.replace("balances", "refunds"), token);
    Reply given =
        send(
            "PUT",
            "/v1/schedules/paid",
            masks.replace("balances", "refunds").replace("***", "4222"),
            token);

    assertThat(other.status()).as(other.body()).isEqualTo(400);
    assertThat(other.firstPointer()).isEqualTo("/job/payload/card");
    assertThat(given.status()).as(given.body()).isEqualTo(200);
    assertThat(stored("paid")).contains("4222", "refunds");
  }

  @Test
  void a_mask_in_a_payload_that_is_otherwise_another_is_refused() {
    put("masked", DELIVERY);
    String masks = sentBack(get("masked", ApiServer.ADMIN));

    Reply other = put("masked", masks.replace("/report", "/other"));

    assertThat(other.status()).as(other.body()).isEqualTo(400);
    assertThat(other.firstPointer()).isEqualTo("/job/payload/headers");
    assertThat(stored("masked")).contains(SECRET).doesNotContain("/other");
    Reply anew = put("masked", masks.replace("/report", "/other").replace("\"***\"", "\"new\""));
    assertThat(anew.status()).as(anew.body()).isEqualTo(200);
  }

  @Test
  void who_may_not_read_payloads_sees_masks_and_keeps_what_is_under_them() {
    String body =
        "{\"every\":\"PT1H\",\"job\":{\"kind\":\"a\",\"payload\":{\"card\":4111,\"n\":1}}}";
    put("card", body);
    String viewer = token("viewer", Role.VIEWER.scopes());
    String blind = token("blind", Set.of(Scope.JOBS_READ, Scope.QUEUES_ADMIN, Scope.JOBS_SUBMIT));

    assertThat(get("card", viewer).body()).contains("\"card\":\"***\"").doesNotContain("4111");
    assertThat(get("card", ApiServer.ADMIN).body()).contains("4111");
    Reply again = send("PUT", "/v1/schedules/card", sentBack(get("card", blind)), blind);

    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(get("card", ApiServer.ADMIN).body()).contains("4111").contains("PT2H");
  }

  @Test
  void a_schedule_is_written_by_those_who_may_submit_as_well() {
    String body = "{\"every\":\"PT1H\",\"job\":{\"kind\":\"a\",\"payload\":1}}";
    for (Scope one : List.of(Scope.QUEUES_ADMIN, Scope.JOBS_SUBMIT)) {
      Reply refused = send("PUT", "/v1/schedules/rights", body, token("only " + one, Set.of(one)));
      assertThat(refused.field("code")).isEqualTo("missing_scope");
    }
    String both = token("both scopes", Set.of(Scope.QUEUES_ADMIN, Scope.JOBS_SUBMIT));
    assertThat(send("PUT", "/v1/schedules/rights", body, both).status()).isEqualTo(201);
  }

  @Test
  void labels_from_payloads_are_chosen_by_those_who_may_read_payloads() {
    String body = "{\"paused\":false,\"labelsFrom\":{\"card\":\"/card\"}}";
    String blind = token("blind admin", Set.of(Scope.JOBS_READ, Scope.QUEUES_ADMIN));

    Reply refused = send("PUT", "/v1/queues/taking", body, blind);
    assertThat(refused.field("code")).isEqualTo("missing_scope");
    assertThat(send("PUT", "/v1/queues/taking", body, ApiServer.ADMIN).status()).isEqualTo(201);
    String ofKind = "{\"labelsFrom\":{\"card\":\"/card\"}}";
    assertThat(send("PUT", "/v1/kinds/taking", ofKind, blind).field("code"))
        .isEqualTo("missing_scope");
    assertThat(send("PUT", "/v1/kinds/taking", ofKind, ApiServer.ADMIN).status()).isEqualTo(201);
  }

  @Test
  void labels_that_are_no_longer_taken_under_the_lock_need_the_right_to_read_payloads()
      throws Exception {
    String blind = token("late admin", Set.of(Scope.JOBS_READ, Scope.QUEUES_ADMIN));
    for (String table : List.of("queue", "kind")) {
      String path = "/v1/" + table + "s/raced";
      String paused = table.equals("queue") ? "\"paused\":false," : "";
      String body = "{%s\"labelsFrom\":{\"card\":\"/card\"}}".formatted(paused);
      assertThat(send("PUT", path, body, ApiServer.ADMIN).status()).isEqualTo(201);
      try (Connection other = api.connect()) {
        other.setAutoCommit(false);
        other
            .createStatement()
            .execute(
                "update ebb.%s set labels_from = '{\"order\":\"/order\"}' where name = 'raced'"
                    .formatted(table));
        CompletableFuture<Reply> late =
            CompletableFuture.supplyAsync(() -> replace(path, body, blind));
        Await.until("it waits for the row", () -> api.number(WAITING) == 1);
        other.commit();

        assertThat(late.get().field("code")).as(table).isEqualTo("missing_scope");
        assertThat(send("GET", path, "", ApiServer.ADMIN).body())
            .contains("/order")
            .doesNotContain("card");
      }
    }
  }

  private static Reply replace(String path, String body, String token) {
    return api.send(
        api.request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("If-Match", "*")
            .PUT(BodyPublishers.ofString(body)));
  }
}
