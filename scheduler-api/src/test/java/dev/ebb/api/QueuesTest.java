package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class QueuesTest {
  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void put_creates_a_queue_then_replaces_its_settings() {
    Reply created = api.put("/v1/queues/payments", "{\"paused\":true,\"policy\":\"wechat\"}");
    Reply replaced = api.put("/v1/queues/payments", "{\"paused\":false}");

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("location")).isEqualTo("/v1/queues/payments");
    assertThat(created.json().path("paused").asBoolean()).isTrue();
    assertThat(created.json().path("policy").path("jitter").asString()).isEqualTo("list");
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.json().path("paused").asBoolean(true)).isFalse();
    assertThat(replaced.json().has("policy")).isFalse();
    assertThat(api.get("/v1/queues/payments").body()).isEqualTo(replaced.body());
    assertThat(api.get("/v1/queues").json().path("items").findValuesAsString("name"))
        .contains("payments");
  }

  @Test
  void a_queues_policy_gives_its_jobs_their_budget() {
    api.put("/v1/queues/budget", "{\"paused\":false,\"policy\":\"sip\"}");

    Reply job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1,\"queue\":\"budget\"}");

    assertThat(job.json().path("maxAttempts").asInt()).isEqualTo(11);
  }

  @Test
  void settings_that_break_a_rule_change_nothing() {
    String[][] bad = {
      {"{}", "/paused"},
      {"{\"paused\":\"true\"}", "/paused"},
      {"{\"paused\":1}", "/paused"},
      {"{\"paused\":null}", "/paused"},
      {"{\"paused\":true,\"policy\":null}", "/policy"},
      {"{\"paused\":true,\"policy\":{}}", "/policy/base"},
      {"{\"paused\":true,\"rateLimit\":{\"permitsPerSecond\":1}}", "/rateLimit"},
      {"{\"paused\":true,\"maxConcurrency\":5}", "/maxConcurrency"},
      {"[]", ""},
      {"{\"paused\":true,\"paused\":false}", "/paused"}
    };
    for (String[] one : bad) {
      Reply reply = api.put("/v1/queues/strict", one[0]);
      assertThat(reply.status()).as(one[0]).isEqualTo(400);
      assertThat(reply.firstPointer()).as(one[0]).isEqualTo(one[1]);
    }
    assertThat(api.get("/v1/queues/strict").status()).isEqualTo(404);
    assertThat(api.put("/v1/queues/Strict", "{\"paused\":true}").status()).isEqualTo(400);
  }
}
