package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.TestPostgres;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Policies that are stored under a name: who follows them, and who has a copy. */
class StoredPoliciesTest {
  private static final String TWICE =
      "{\"policy\":{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT9S\",\"maxAttempts\":2}}";
  private static final String THRICE = TWICE.replace("\"maxAttempts\":2", "\"maxAttempts\":3");

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start(TestPostgres.shared().newDatabase());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static int maxAttempts(Reply reply) {
    return reply.json().path("policy").path("maxAttempts").asInt();
  }

  private static Reply delete(String path) {
    return api.send(api.request(path).DELETE());
  }

  private static Reply submit(String queue, String policy) {
    return api.post(
        "/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"" + policy + "}");
  }

  @Test
  void a_policy_is_stored_shown_listed_replaced_and_removed() {
    Reply stored = api.put("/v1/policies/twice", TWICE);
    Reply blind = api.put("/v1/policies/twice", THRICE);
    String tag = api.get("/v1/policies/twice").header("etag");
    Reply replaced = api.put("/v1/policies/twice", THRICE, "If-Match", tag);
    Reply stale = api.put("/v1/policies/twice", TWICE, "If-Match", tag);

    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    assertThat(stored.header("location")).isEqualTo("/v1/policies/twice");
    assertThat(stored.json().path("builtIn").asBoolean(true)).isFalse();
    assertThat(blind.status()).isEqualTo(428);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(stale.status()).isEqualTo(412);
    assertThat(api.get("/v1/policies/twice").body()).isEqualTo(replaced.body());
    assertThat(api.get("/v1/policies").json().path("items").findValuesAsString("name"))
        .contains("default", "twice");
    assertThat(delete("/v1/policies/twice").status()).isEqualTo(204);
    assertThat(delete("/v1/policies/twice").field("code")).isEqualTo("policy_not_found");
    assertThat(api.get("/v1/policies/twice").status()).isEqualTo(404);
    assertThat(
            api.number(
                "select count(*) from ebb.audit where subject = 'twice'"
                    + " and action in ('policy.put', 'policy.delete')"))
        .isEqualTo(3);
  }

  @Test
  void a_preset_is_shown_and_stays_as_it_is() {
    Reply preset = api.get("/v1/policies/sip");
    HttpRequest.Builder again = api.request("/v1/policies/sip");

    assertThat(preset.json().path("builtIn").asBoolean()).isTrue();
    assertThat(api.send(again.header("If-None-Match", preset.header("etag")).GET()).status())
        .isEqualTo(304);
    assertThat(api.put("/v1/policies/sip", TWICE).status()).isEqualTo(409);
    assertThat(delete("/v1/policies/sip").field("code")).isEqualTo("wrong_state");
  }

  @Test
  void a_policy_that_breaks_a_rule_is_not_stored() {
    assertThat(api.put("/v1/policies/No", TWICE).status()).isEqualTo(400);
    assertThat(api.put("/v1/policies/bad", "{}").firstPointer()).isEqualTo("/policy");
    assertThat(api.put("/v1/policies/bad", "{\"policy\":{}}").firstPointer())
        .isEqualTo("/policy/base");
    assertThat(api.put("/v1/policies/bad", "{\"policy\":\"nope\"}").firstPointer())
        .isEqualTo("/policy");
    assertThat(api.put("/v1/policies/bad", "{\"polcy\":1}").firstPointer()).isEqualTo("/polcy");
    assertThat(api.get("/v1/policies/bad").status()).isEqualTo(404);
  }

  @Test
  void a_job_that_names_a_policy_keeps_what_the_policy_was_at_its_submit() {
    api.put("/v1/policies/copied", TWICE);
    Reply job = submit("copies", ",\"policy\":\"copied\"");

    api.set("/v1/policies/copied", THRICE);

    assertThat(job.status()).as(job.body()).isEqualTo(201);
    assertThat(job.json().path("maxAttempts").asInt()).isEqualTo(2);
    assertThat(maxAttempts(api.get(job.header("location")))).isEqualTo(2);
    assertThat(maxAttempts(submit("copies", ",\"policy\":\"copied\""))).isEqualTo(3);
    assertThat(delete("/v1/policies/copied").status()).as("jobs have copies").isEqualTo(204);
    assertThat(maxAttempts(api.get(job.header("location")))).isEqualTo(2);
  }

  @Test
  void a_batch_names_stored_policies_and_points_at_names_that_are_none() {
    api.put("/v1/policies/batched", TWICE);
    String job = "{\"kind\":\"a\",\"payload\":1,\"policy\":\"%s\"}";

    Reply stored =
        api.post(
            "/v1/jobs/batch",
            "{\"jobs\":[" + job.formatted("batched") + "," + job.formatted("batched") + "]}");
    Reply refused =
        api.post(
            "/v1/jobs/batch",
            "{\"jobs\":[" + job.formatted("batched") + "," + job.formatted("batch") + "]}");

    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.firstPointer()).isEqualTo("/jobs/1/policy");
  }

  @Test
  void a_queue_that_names_a_policy_follows_it() {
    api.put("/v1/policies/followed", TWICE);
    Reply queue = api.put("/v1/queues/follower", "{\"paused\":false,\"policy\":\"followed\"}");
    String tag = api.get("/v1/queues/follower").header("etag");
    Reply before = submit("follower", "");

    api.set("/v1/policies/followed", THRICE);

    assertThat(queue.status()).as(queue.body()).isEqualTo(201);
    assertThat(queue.field("policyName")).isEqualTo("followed");
    assertThat(maxAttempts(queue)).isEqualTo(2);
    assertThat(before.json().path("maxAttempts").asInt()).isEqualTo(2);
    assertThat(maxAttempts(api.get("/v1/queues/follower"))).isEqualTo(3);
    assertThat(api.get("/v1/queues/follower").header("etag")).isNotEqualTo(tag);
    assertThat(submit("follower", "").json().path("maxAttempts").asInt()).isEqualTo(3);
  }

  @Test
  void a_policy_that_a_queue_follows_cannot_be_removed() {
    api.put("/v1/policies/used", TWICE);
    api.put("/v1/queues/user", "{\"paused\":false,\"policy\":\"used\"}");

    Reply refused = delete("/v1/policies/used");
    api.set("/v1/queues/user", "{\"paused\":false,\"policy\":\"sip\"}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.field("code")).isEqualTo("policy_in_use");
    assertThat(refused.field("detail")).contains("user");
    assertThat(api.get("/v1/queues/user").json().has("policyName")).isFalse();
    assertThat(delete("/v1/policies/used").status()).isEqualTo(204);
  }

  @Test
  void a_name_that_no_policy_has_is_refused_where_it_stands() {
    assertThat(submit("nobody", ",\"policy\":\"nope\"").firstPointer()).isEqualTo("/policy");
    Reply queue = api.put("/v1/queues/nobody", "{\"paused\":false,\"policy\":\"nope\"}");

    assertThat(queue.status()).isEqualTo(400);
    assertThat(queue.firstPointer()).isEqualTo("/policy");
    assertThat(queue.body()).contains("presets");
    assertThat(api.get("/v1/queues/nobody").status()).isEqualTo(404);
  }

  @Test
  void a_batch_whose_policy_cannot_be_read_is_refused_whole_and_may_be_repeated()
      throws SQLException {
    api.put("/v1/policies/unread", TWICE);
    long before = api.stored();
    String job = "{\"kind\":\"a\",\"payload\":1%s}";
    String batch =
        "{\"jobs\":[" + job.formatted("") + "," + job.formatted(",\"policy\":\"unread\"") + "]}";
    Reply refused;
    try (Connection other = api.connect();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("lock table ebb.policy in access exclusive mode");
      refused = api.post("/v1/jobs/batch", batch);
      other.rollback();
    }

    assertThat(refused.status()).as(refused.body()).isEqualTo(503);
    assertThat(api.stored()).isEqualTo(before);
    assertThat(api.post("/v1/jobs/batch", batch).json().path("items").size()).isEqualTo(2);
  }

  @Test
  void a_preview_takes_stored_policies_too() {
    api.put("/v1/policies/previewed", TWICE);

    Reply preview = api.post("/v1/policies/preview", "{\"policy\":\"previewed\"}");

    assertThat(preview.json().path("attempts").size()).isEqualTo(2);
  }
}
