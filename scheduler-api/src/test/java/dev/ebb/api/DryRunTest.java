package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Submits that only ask. */
class DryRunTest {
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
    return api.post("/v1/jobs?dryRun=true", "{\"kind\":\"report\",\"payload\":1" + more + "}");
  }

  @Test
  void a_dry_run_tells_the_policy_and_when_the_attempts_would_start() {
    Reply reply = ask(",\"policy\":" + CONSTANT);

    assertThat(reply.status()).isEqualTo(200);
    JsonNode answer = reply.json();
    assertThat(answer.path("valid").asBoolean()).isTrue();
    assertThat(answer.path("policy").path("cap").asString()).isEqualTo("PT4S");
    assertThat(answer.path("maxAttempts").asInt()).isEqualTo(4);
    JsonNode schedule = answer.path("schedulePreview");
    assertThat(schedule.path("attempts").size()).isEqualTo(4);
    assertThat(schedule.path("attempts").path(3).path("start").path("latest").asString())
        .isEqualTo("PT7S");
    assertThat(schedule.path("giveUp").path("median").asString()).isEqualTo("PT7S");
  }

  @Test
  void the_policy_is_the_jobs_or_its_queues_or_the_default() {
    JsonNode ofQueue = ask(",\"queue\":\"own\"").json();
    JsonNode ofJob = ask(",\"queue\":\"own\",\"policy\":\"sip\",\"maxAttempts\":2").json();
    JsonNode otherwise = ask("").json();

    assertThat(ofQueue.path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(ofJob.path("maxAttempts").asInt()).isEqualTo(2);
    assertThat(ofJob.path("schedulePreview").path("attempts").size()).isEqualTo(2);
    assertThat(otherwise.path("maxAttempts").asInt()).isEqualTo(16);
  }

  @Test
  void a_batch_is_told_for_each_of_its_jobs() {
    Reply reply =
        api.post(
            "/v1/jobs/batch?dryRun=true",
            "{\"jobs\":[{\"kind\":\"a\",\"payload\":1,\"queue\":\"own\"},{\"kind\":\"a\",\"payload\":1}]}");

    assertThat(reply.status()).isEqualTo(200);
    JsonNode items = reply.json().path("items");
    assertThat(items.path(0).path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(items.path(0).path("policy").path("base").asString()).isEqualTo("PT1S");
    assertThat(items.path(1).path("maxAttempts").asInt()).isEqualTo(16);
  }

  @Test
  void what_a_submit_refuses_a_dry_run_refuses() {
    assertThat(ask(",\"priority\":10").firstPointer()).isEqualTo("/priority");
    assertThat(ask(",\"runAt\":\"1999-01-01T00:00:00Z\"").firstPointer()).isEqualTo("/runAt");
    assertThat(
            api.post("/v1/jobs?dryRun=true", "{\"kind\":\"http\",\"payload\":{\"url\":\"x\"}}")
                .firstPointer())
        .isEqualTo("/payload/url");
    assertThat(
            api.post("/v1/jobs/batch?dryRun=true", "{\"jobs\":[{\"kind\":\"a\"}]}").firstPointer())
        .isEqualTo("/jobs/0/payload");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dryRun=yes", "dryRun=", "dryRun", "dryRun=true&dryRun=true", "dryrun=true"})
  void an_unclear_request_for_a_dry_run_stores_nothing(String query) {
    for (String path : new String[] {"/v1/jobs?", "/v1/jobs/batch?"}) {
      assertThat(api.post(path + query, "{\"kind\":\"a\",\"payload\":1}").status()).isEqualTo(400);
    }
  }
}
