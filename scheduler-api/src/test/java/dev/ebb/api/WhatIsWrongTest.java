package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WhatIsWrongTest {
  private ApiServer api;

  @BeforeEach
  void start() {
    api =
        ApiServer.start(
            TestPostgres.durable().newDatabase().withStatementTimeout(Duration.ofSeconds(30)));
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
        values ('worker', '1', '0a', '{}', '{http}', 10)
        """);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private JsonNode found() {
    return api.get("/v1/findings").json();
  }

  private List<String> summaries() {
    return found().path("items").valueStream().map(one -> one.path("summary").asString()).toList();
  }

  @Test
  void a_cluster_that_is_well_has_no_findings() {
    assertThat(found().path("items")).isEmpty();
    assertThat(found().path("verdict").asString()).isEqualTo("ok");
  }

  @Test
  void a_node_that_suspects_its_own_network_is_told_as_long_as_its_heartbeats_say_so() {
    api.execute("update ebb.node set network_suspected = true");
    assertThat(summaries())
        .containsExactly(
            "Most destinations that node worker called in the last minute did not answer it.");
    assertThat(found().at("/items/0/node").asString()).isEqualTo("worker");
    assertThat(api.get("/v1/nodes").json().at("/items/0/networkSuspected").asBoolean()).isTrue();

    api.execute("update ebb.node set network_suspected = false");
    assertThat(summaries()).isEmpty();
  }

  @Test
  void a_node_that_lacks_a_key_of_secrets_is_told() {
    api.execute("update ebb.node set missing_keys = '{4f1c09ab}'");
    assertThat(summaries())
        .containsExactly("Node worker cannot open secrets that key 4f1c09ab sealed.");
    assertThat(found().path("verdict").asString()).isEqualTo("bad");
    assertThat(api.get("/v1/nodes").json().at("/items/0/missingKeys/0").asString())
        .isEqualTo("4f1c09ab");

    api.execute("update ebb.node set missing_keys = '{}'");
    assertThat(summaries()).isEmpty();
  }

  private void node(String name, String kinds, String missing) {
    api.execute(
        """
        insert into ebb.node (
          name, version, settings_hash, queues, kinds, concurrency, missing_keys)
        values ('%s', '1', '0a', '{}', '%s', 10, '%s')
        """
            .formatted(name, kinds, missing));
  }

  private String advice(String node) {
    return found()
        .path("items")
        .valueStream()
        .filter(one -> one.path("node").asString().equals(node))
        .map(one -> one.path("advice").asString())
        .collect(Collectors.joining());
  }

  @Test
  void what_to_do_about_a_missing_key_depends_on_who_has_it_and_what_needs_it() {
    api.execute(
        """
        insert into ebb.queue (name, destination)
        values ('d', '{"headers":{"A":{"sealed":"aaaa.x"},"B":{"sealed":"bbbb.x"}}}')
        """);
    api.execute("insert into ebb.export_key (id, public_key, sealed) values ('k', '', 'eeee.A')");
    api.execute("update ebb.node set missing_keys = '{aaaa,bbbb,eeee}'");
    node("api-1", "{}", "{bbbb,eeee}");
    node("api-2", "{}", "{eeee}");

    assertThat(summaries())
        .contains("Node worker cannot open secrets that keys aaaa, bbbb, eeee sealed.");
    assertThat(advice("worker"))
        .contains("Node api-1 has aaaa: give all", "Node api-2 has bbbb: give all")
        .contains("have eeee, by which only the key that signs exports is sealed")
        .contains("it gives back the deliveries");
    assertThat(advice("api-1")).contains("Node api-2 has bbbb").doesNotContain("deliveries");
    assertThat(advice("api-2"))
        .startsWith("No live node is known to have eeee")
        .contains("POST /v1/export-keys")
        .doesNotContain("deliveries");

    api.execute("update ebb.node set stopped_at = now() where name = 'api-2'");
    assertThat(advice("api-1")).startsWith("No live node is known to have bbbb: add it");
  }

  @Test
  void a_worker_that_lacks_only_the_key_of_exports_gives_nothing_back() {
    api.execute("insert into ebb.export_key (id, public_key, sealed) values ('k', '', 'eeee.A')");
    api.execute("update ebb.node set missing_keys = '{eeee}'");

    assertThat(advice("worker"))
        .startsWith("No live node is known to have eeee")
        .doesNotContain("deliveries");
  }

  /** A page of queues ends after some hundreds of names. */
  @Test
  void a_paused_queue_is_found_behind_a_thousand_others() {
    api.execute("insert into ebb.queue (name) select 'a' || n from generate_series(1, 1500) as n");
    api.post("/v1/queues/zulu/pause", "{\"reason\":\"merchant maintenance\"}");

    assertThat(summaries())
        .singleElement()
        .asString()
        .matches("Queue zulu has been paused for .* by .*: merchant maintenance\\.");
    assertThat(found().at("/items/0/queue").asString()).isEqualTo("zulu");
  }

  @Test
  void a_throttled_rate_is_found_behind_a_thousand_others_until_it_has_recovered() {
    api.execute(
        """
        insert into ebb.queue (name, rate_limit)
        select 'a' || n, '{"permitsPerSecond": 20}' from generate_series(1, 1500) as n
        """);
    api.set("/v1/queues/zulu", "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":20}}");
    api.execute(
        """
        insert into ebb.limiter (
          queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
        values
          ('zulu', 0, now(), 1, 0.5, now(), now()),
          ('a1', 0, now(), 1, 0.5, now() - interval '30 days', now() - interval '30 days')
        """);

    assertThat(summaries())
        .singleElement()
        .asString()
        .matches(
            "The receiver of queue zulu throttles: its full rate is 1\\d(\\.\\d+)? instead of 20 .*");
  }

  @Test
  void the_worst_comes_first_and_gives_the_verdict() {
    api.post("/v1/queues/shut/pause");
    api.execute("update ebb.node set heartbeat_at = now() - interval '190 minutes'");

    assertThat(summaries().getFirst()).isEqualTo("No worker is running, so no job starts.");
    assertThat(summaries()).contains("Node worker sent its last heartbeat 3 h ago.");
    assertThat(found().path("verdict").asString()).isEqualTo("bad");
  }
}
