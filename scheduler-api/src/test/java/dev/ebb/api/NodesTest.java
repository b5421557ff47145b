package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class NodesTest {
  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void add(String name, String more) {
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('%s', '1.2', '0a', '{payments}', '{http}', 500)
        """
            .formatted(name));
    api.execute("update ebb.node set " + more + " where name = '" + name + "'");
  }

  private String state(String name) {
    return api.get("/v1/nodes/" + name).field("state");
  }

  @Test
  void a_node_is_shown_as_it_told_last() {
    add("one", "in_flight = 7, skew_micros = -250000");
    add("two", "queues = '{}'");

    JsonNode one = api.get("/v1/nodes/one").json();

    assertThat(one.path("state").asString()).isEqualTo("running");
    assertThat(one.path("inFlight").asInt()).isEqualTo(7);
    assertThat(one.path("clockSkew").asString()).isEqualTo("PT-0.25S");
    assertThat(one.at("/queues/0").asString()).isEqualTo("payments");
    assertThat(one.has("stoppedAt")).isFalse();
    assertThat(api.get("/v1/nodes/two").json().has("queues")).isFalse();
    assertThat(api.get("/v1/nodes/two").json().has("clockSkew")).isFalse();
    assertThat(api.get("/v1/nodes/three").field("code")).isEqualTo("node_not_found");
  }

  @Test
  void a_process_without_a_worker_has_no_queues_and_cannot_drain() {
    add("api", "queues = '{}', kinds = '{}', concurrency = 0");
    add("worker", "in_flight = 0");

    JsonNode alone = api.get("/v1/nodes/api").json();

    assertThat(alone.path("role").asString()).isEqualTo("api");
    assertThat(alone.path("queues").isArray()).isTrue();
    assertThat(alone.path("queues")).isEmpty();
    assertThat(api.get("/v1/nodes/worker").field("role")).isEqualTo("worker");
    assertThat(api.post("/v1/nodes/api/drain").field("code")).isEqualTo("wrong_state");
    assertThat(state("api")).isEqualTo("running");
  }

  @Test
  void its_state_says_whether_it_works() {
    add("fresh", "heartbeat_at = now() - interval '20 seconds'");
    add("asked", "draining = true");
    add("ending", "closing = true");
    add("silent", "heartbeat_at = now() - interval '31 seconds', draining = true");
    add("ended", "heartbeat_at = now() - interval '1 hour', stopped_at = now()");

    assertThat(state("fresh")).isEqualTo("running");
    assertThat(state("asked")).isEqualTo("draining");
    assertThat(state("ending")).isEqualTo("draining");
    assertThat(state("silent")).isEqualTo("lost");
    assertThat(state("ended")).isEqualTo("stopped");
  }

  @Test
  void nodes_are_listed_in_pages() {
    List.of("c", "a", "b").forEach(name -> add(name, "in_flight = 0"));

    JsonNode first = api.get("/v1/nodes?limit=2").json();
    JsonNode second =
        api.get("/v1/nodes?limit=2&cursor=" + first.path("nextCursor").asString()).json();

    assertThat(first.path("items").valueStream().map(node -> node.path("id").asString()))
        .containsExactly("a", "b");
    assertThat(second.path("items").valueStream().map(node -> node.path("id").asString()))
        .containsExactly("c");
    assertThat(second.has("nextCursor")).isFalse();
  }

  @Test
  void a_node_is_asked_to_drain_and_to_claim_again_unless_it_has_stopped() {
    add("one", "in_flight = 0");
    add("ended", "stopped_at = now()");

    Reply drained = api.post("/v1/nodes/one/drain", "{\"reason\":\"new kernel\"}");
    assertThat(drained.status()).isEqualTo(200);
    assertThat(drained.field("state")).isEqualTo("draining");
    assertThat(api.post("/v1/nodes/one/undrain").field("state")).isEqualTo("running");
    assertThat(api.post("/v1/nodes/ended/drain").field("code")).isEqualTo("wrong_state");
    assertThat(api.post("/v1/nodes/nobody/drain").status()).isEqualTo(404);

    JsonNode audit = api.get("/v1/audit?action=node").json().path("items");
    assertThat(audit.valueStream().map(entry -> entry.path("action").asString()))
        .containsExactly("node.undrain", "node.drain");
    assertThat(audit.path(1).path("reason").asString()).isEqualTo("new kernel");
  }
}
