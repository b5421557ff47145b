package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.circuit.Ballot;
import dev.ebb.db.queue.Circuits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How destinations do, and the worst of them first. */
class DestinationHealthTest {
  private static ApiServer api;

  @BeforeAll
  static void start() throws SQLException {
    api = ApiServer.start();
    for (String name : List.of("idle", "open", "worse")) {
      api.put("/v1/destinations/" + name, "{\"url\":\"https://merchant.example/\"}");
    }
    Ballot bad = new Ballot(0, 1, 20, 0, 0, Set.of(), "http_503");
    new Circuits(api.database()).tell("open", bad, Duration.ZERO, 0.5);
    ended(30, 1);
    ended(5, 50);
  }

  /** So many of a hundred attempts of one destination failed so many minutes ago. */
  private static void ended(int minutesAgo, int failed) {
    api.execute(
        """
        insert into ebb.stat (
          at, step, queue, kind, submitted, started, completed, failed, throttled, dead, cancelled,
          redriven, discarded, released, snoozed, wait_micros, run_micros, wait, run)
        select
          date_bin(s.step * interval '1 minute', now() - interval '%1$s minutes', 'epoch'),
          s.step, 'worse', 'http', 0, 0, 100 - %2$s, %2$s, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          '{}', '{0,100}'
        from (values (1), (1440)) as s (step)
        on conflict (step, queue, kind, at) do update
        set
          completed = stat.completed + excluded.completed,
          failed = stat.failed + excluded.failed
        """
            .formatted(minutesAgo, failed));
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.path("items").forEach(one -> names.add(one.path("name").asString()));
    return names;
  }

  @Test
  void a_list_of_the_worst_first_goes_on_page_by_page_and_has_their_health() {
    List<String> names = new ArrayList<>();
    String path = "/v1/destinations?sort=worst&limit=1";
    String cursor = "";
    do {
      JsonNode page = api.get(path + cursor).json();
      names.addAll(names(page));
      cursor = page.has("nextCursor") ? "&cursor=" + page.path("nextCursor").asString() : "";
    } while (!cursor.isEmpty());

    assertThat(names).containsExactly("open", "worse", "idle");
    JsonNode all = api.get("/v1/destinations?sort=worst").json().path("items");
    assertThat(all.path(0).path("health").path("circuit").path("state").asString())
        .isEqualTo("open");
    assertThat(all.path(1).path("health").path("worseBy").asDouble()).isBetween(0.3, 0.49);
    assertThat(all.path(1).path("health").path("standing").path("jobs").asInt()).isZero();
    assertThat(api.get("/v1/destinations").json().at("/items/0/health").isMissingNode()).isTrue();
  }

  @Test
  void health_sets_the_last_hour_beside_the_week_and_leaves_out_what_is_unknown() {
    JsonNode worse = api.get("/v1/destinations/worse/health").json();
    assertThat(worse.path("lately").path("attempts").asInt()).isEqualTo(200);
    assertThat(worse.path("lately").path("share").asDouble()).isEqualTo(0.255);
    assertThat(worse.path("usually").path("failed").asInt()).isEqualTo(51);
    assertThat(worse.path("p95").asString()).startsWith("PT0.00");
    assertThat(worse.path("day").path("attempts")).hasSize(96);

    JsonNode idle = api.get("/v1/destinations/idle/health").json();
    for (String unknown : List.of("/lately/share", "/usually/share", "/p95", "/circuit")) {
      assertThat(idle.at(unknown).isMissingNode()).as(unknown).isTrue();
    }
  }

  @Test
  void a_cursor_of_another_order_and_a_name_of_none_are_refused() {
    Reply cursor = api.get("/v1/destinations?sort=worst&cursor=idle");
    assertThat(cursor.status()).isEqualTo(400);
    assertThat(cursor.field("code")).isEqualTo("invalid_cursor");
    assertThat(api.get("/v1/destinations?sort=best").status()).isEqualTo(400);
    assertThat(api.get("/v1/destinations?sort=worst&limit=101").status()).isEqualTo(400);
    assertThat(api.get("/v1/destinations/nobody/health").status()).isEqualTo(404);
  }

  @Test
  void the_last_attempts_say_what_decided_and_whether_there_are_older_ones() {
    api.execute(
        """
        with tried as (
          insert into ebb.attempt (
            job_id, started_at, ended_at, number, outcome, failure_reason, node, detail)
          select uuidv7(), now() - i * interval '2 s', now() - i * interval '1 s', i, 'failed',
            'http_503', 'n1', '{"response": {"status": 503}, "rule": "default: 503"}'
          from generate_series(1, 3) i
          returning job_id, ended_at
        )
        insert into ebb.delivered (ended_at, job_id, queue)
        select ended_at, job_id, 'idle' from tried
        """);

    JsonNode all = api.get("/v1/destinations/idle/attempts").json();
    assertThat(all.path("complete").asBoolean()).isTrue();
    assertThat(all.path("items")).hasSize(3);
    JsonNode last = all.at("/items/0");
    assertThat(last.path("number").asInt()).isOne();
    assertThat(last.path("status").asInt()).isEqualTo(503);
    assertThat(last.path("rule").asString()).isEqualTo("default: 503");
    assertThat(last.path("errorReason").asString()).isEqualTo("http_503");

    JsonNode some = api.get("/v1/destinations/idle/attempts?limit=2").json();
    assertThat(some.path("complete").asBoolean()).isFalse();
    assertThat(some.path("items")).hasSize(2);
    assertThat(api.get("/v1/destinations/open/attempts").json().path("items")).isEmpty();
    assertThat(api.get("/v1/destinations/nobody/attempts").status()).isEqualTo(404);
    assertThat(api.get("/v1/destinations/idle/attempts?limit=101").status()).isEqualTo(400);
  }
}
