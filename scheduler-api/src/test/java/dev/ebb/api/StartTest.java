package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A paused start over REST. */
class StartTest {
  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private boolean meSaysPaused() {
    return api.get("/v1/me").json().path("startPaused").asBoolean();
  }

  private void pause() throws Exception {
    api.execute(
        "insert into ebb.start (paused_since, paused_by) values (now(), 'EBB_START=paused on a')");
    Await.until("the API knows", this::meSaysPaused);
  }

  @Test
  void a_paused_start_is_shown_and_ended_with_an_entry_in_the_audit() throws Exception {
    assertThat(api.get("/v1/start").body()).isEqualTo("{\"paused\":false}");
    pause();

    JsonNode paused = api.get("/v1/start").json();
    assertThat(paused.path("paused").asBoolean()).isTrue();
    assertThat(paused.path("pausedBy").asString()).isEqualTo("EBB_START=paused on a");
    assertThat(paused.has("pausedSince")).isTrue();
    assertThat(api.get("/metrics").body()).contains("ebb_start_paused 1.0");

    JsonNode resumed = api.post("/v1/start/resume", "{\"reason\":\"looked\"}").json();
    assertThat(resumed.path("paused").asBoolean()).isFalse();
    assertThat(resumed.has("resumedAt")).isTrue();
    assertThat(meSaysPaused()).isFalse();
    assertThat(api.get("/metrics").body()).contains("ebb_start_paused 0.0");
    assertThat(api.post("/v1/start/resume").status()).isEqualTo(200);
    JsonNode audit = api.get("/v1/audit?action=start").json().path("items");
    assertThat(audit).hasSize(1);
    assertThat(audit.path(0).path("action").asString()).isEqualTo("start.resume");
    assertThat(audit.path(0).path("reason").asString()).isEqualTo("looked");
  }

  @Test
  void while_it_is_paused_submits_and_reads_are_served_and_the_node_is_ready() throws Exception {
    pause();

    String id = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");

    assertThat(api.get("/v1/jobs/" + id).field("state")).isEqualTo("available");
    assertThat(api.get("/readyz").status()).isEqualTo(200);
    assertThat(api.get("/v1/database").body()).contains("The start is paused since");
  }
}
