package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.start.PausedStart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A paused start over REST. */
class StartTest {
  private final DatabaseConfig config = TestPostgres.shared().newDatabase();
  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(config);
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

  @ParameterizedTest
  @ValueSource(strings = {"", "?queue=a", "?state=dead_letter"})
  void every_stream_tells_a_pause_and_a_resume_and_the_api_knows_by_then(String query)
      throws Exception {
    try (Database database = Database.open(config);
        EventClient events = EventClient.open(api, query)) {
      PausedStart start = new PausedStart(database);
      start.pause(Bench.ACT);
      assertThat(events.next("change").field("action")).isEqualTo("start.pause");
      assertThat(meSaysPaused()).isTrue();

      start.resume(Bench.ACT);
      assertThat(events.next("change").field("action")).isEqualTo("start.resume");
      assertThat(meSaysPaused()).isFalse();
    }
  }

  @Test
  void while_it_is_paused_submits_and_reads_are_served_and_the_node_is_ready() throws Exception {
    pause();

    String id = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").field("id");

    assertThat(api.get("/v1/jobs/" + id).field("state")).isEqualTo("available");
    assertThat(api.get("/readyz").status()).isEqualTo(200);
    assertThat(api.get("/v1/database").body()).contains("The start has been paused since");
  }
}
