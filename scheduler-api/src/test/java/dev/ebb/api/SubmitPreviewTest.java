package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a submit would store is told, and nothing is stored. */
class SubmitPreviewTest {
  private static final String CONSTANT =
      "{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT4S\",\"maxAttempts\":4}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
    api.put("/v1/queues/own", "{\"paused\":false,\"policy\":" + CONSTANT + "}");
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @AfterEach
  void nothing_is_stored() {
    assertThat(api.stored()).isZero();
  }

  private static Reply ask(String more) {
    return api.post("/v1/jobs/preview", "{\"kind\":\"report\",\"payload\":1" + more + "}");
  }

  @Test
  void a_preview_tells_the_policy_and_when_the_attempts_would_start() {
    Reply reply = ask(",\"policy\":" + CONSTANT);

    assertThat(reply.status()).isEqualTo(200);
    JsonNode answer = reply.json();
    assertThat(answer.path("policy").path("cap").asString()).isEqualTo("PT4S");
    assertThat(answer.path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(answer.path("attempts").size()).isEqualTo(4);
    assertThat(answer.path("attempts").path(3).path("start").path("latest").asString())
        .isEqualTo("PT7S");
    assertThat(answer.path("giveUp").path("median").asString()).isEqualTo("PT7S");
  }

  @Test
  void the_policy_is_the_jobs_or_its_queues_or_the_default() {
    JsonNode ofQueue = ask(",\"queue\":\"own\"").json();
    JsonNode ofJob = ask(",\"queue\":\"own\",\"policy\":\"sip\",\"maxAttempts\":2").json();
    JsonNode otherwise = ask("").json();

    assertThat(ofQueue.path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(ofJob.path("maxAttempts").asInt()).isEqualTo(2);
    assertThat(ofJob.path("attempts").size()).isEqualTo(2);
    assertThat(otherwise.path("maxAttempts").asInt()).isEqualTo(16);
  }

  @Test
  void a_batch_is_told_for_each_of_its_jobs() {
    Reply reply =
        api.post(
            "/v1/jobs/batch/preview",
            "{\"jobs\":[{\"kind\":\"a\",\"payload\":1,\"queue\":\"own\"},{\"kind\":\"a\",\"payload\":1}]}");

    assertThat(reply.status()).isEqualTo(200);
    JsonNode items = reply.json().path("items");
    assertThat(items.path(0).path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(items.path(0).path("policy").path("base").asString()).isEqualTo("PT1S");
    assertThat(items.path(1).path("maxAttempts").asInt()).isEqualTo(16);
  }

  @Test
  void what_a_submit_refuses_a_preview_refuses() {
    assertThat(ask(",\"priority\":10").firstPointer()).isEqualTo("/priority");
    assertThat(ask(",\"runAt\":\"1999-01-01T00:00:00Z\"").firstPointer()).isEqualTo("/runAt");
    assertThat(
            api.post("/v1/jobs/preview", "{\"kind\":\"http\",\"payload\":{\"url\":\"x\"}}")
                .firstPointer())
        .isEqualTo("/payload/url");
    assertThat(api.post("/v1/jobs/batch/preview", "{\"jobs\":[{\"kind\":\"a\"}]}").firstPointer())
        .isEqualTo("/jobs/0/payload");
  }

  @Test
  void what_once_was_a_parameter_stores_nothing() {
    for (String path : new String[] {"/v1/jobs", "/v1/jobs/batch"}) {
      assertThat(api.post(path + "?dryRun=true", "{\"kind\":\"a\",\"payload\":1}").status())
          .isEqualTo(400);
    }
  }
}
