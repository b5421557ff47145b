package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Statistics over REST. */
class StatsTest {
  private static final String DAY = "/v1/queues/default/stats?from=2026-01-01T00:00:30Z";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void submit(String queue) {
    api.post(
        "/v1/jobs", "{\"kind\": \"echo\", \"queue\": \"%s\", \"payload\": 1}".formatted(queue));
  }

  @Test
  void an_overview_shows_what_is_there_at_once_in_pages() {
    submit("a");
    submit("b");
    submit("b");

    JsonNode first = api.get("/v1/stats/overview?limit=1").json();
    JsonNode last =
        api.get("/v1/stats/overview?limit=1&cursor=" + first.path("nextCursor").asString()).json();

    assertThat(first.path("complete").asBoolean()).isTrue();
    assertThat(first.at("/all/jobs").asInt()).isEqualTo(3);
    assertThat(first.at("/all").has("queue")).isFalse();
    assertThat(first.at("/items/0/queue").asString()).isEqualTo("a");
    assertThat(last.at("/items/0/queue").asString()).isEqualTo("b");
    assertThat(last.at("/items/0/jobs").asInt()).isEqualTo(2);
    assertThat(last.at("/items/0/oldestDueAge").asString()).startsWith("PT");
    assertThat(last.at("/items/0/recent/0/minutes").asInt()).isEqualTo(1);
    assertThat(last.at("/items/0/recent/2/counts/submitted").asInt()).isEqualTo(2);
    assertThat(last.has("nextCursor")).isFalse();
    assertThat(api.get("/v1/stats/overview?cursor=No+Queue").status()).isEqualTo(400);
  }

  @Test
  void an_overview_of_one_queue_shows_it_alone_known_or_not() {
    submit("a");
    submit("b");

    JsonNode known = api.get("/v1/stats/overview?queue=b").json();
    JsonNode unknown = api.get("/v1/stats/overview?queue=none").json();

    assertThat(known.path("items").size()).isOne();
    assertThat(known.at("/items/0/queue").asString()).isEqualTo("b");
    assertThat(known.at("/items/0/jobs").asInt()).isOne();
    assertThat(known.at("/items/0/recent/0/counts/submitted").asInt()).isOne();
    assertThat(known.at("/all/jobs").asInt()).isEqualTo(2);
    assertThat(known.has("nextCursor")).isFalse();
    assertThat(unknown.at("/items/0/queue").asString()).isEqualTo("none");
    assertThat(unknown.at("/items/0/jobs").asInt()).isZero();
  }

  @Test
  void a_series_shows_the_steps_in_which_something_happened() {
    api.execute(
        """
        insert into ebb.tally (at, counter, queue, kind, number, bucket, micros) values
          ('2026-01-01 00:00:01Z', 1, 'default', 'echo', 3, null, 0),
          ('2026-01-01 00:00:01Z', 2, 'default', 'echo', 2, 1, 3000),
          ('2026-01-01 00:01:00Z', 5, 'default', 'http', 1, 11, 1500000)
        """);

    JsonNode series = api.get(DAY + "&to=2026-01-01T00:05:00Z").json();

    assertThat(series.path("from").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(series.path("step").asString()).isEqualTo("1m");
    assertThat(series.path("points").size()).isEqualTo(2);
    assertThat(series.at("/points/0/counts/submitted").asInt()).isEqualTo(3);
    assertThat(series.at("/points/0/waited/mean").asString()).isEqualTo("PT0.0015S");
    assertThat(series.at("/points/0/waited/p99").asString()).startsWith("PT0.00");
    assertThat(series.at("/points/0").has("ran")).isFalse();
    assertThat(series.at("/points/1/at").asString()).isEqualTo("2026-01-01T00:01:00Z");
    JsonNode days = api.get(DAY + "&to=2026-01-02T00:00:00Z&step=1d&kind=http").json();
    assertThat(days.path("points").size()).isOne();
    assertThat(days.at("/points/0/counts/throttled").asInt()).isOne();
    assertThat(days.at("/points/0/counts/submitted").asInt()).isZero();
  }

  @Test
  void without_a_window_the_last_hour_is_shown() {
    submit("default");

    JsonNode series = api.get("/v1/queues/default/stats").json();

    assertThat(series.at("/points/0/counts/submitted").asInt()).isOne();
    Instant from = Instant.parse(series.path("from").asString());
    assertThat(Instant.parse(series.path("to").asString())).isEqualTo(from.plusSeconds(3600));
    assertThat(api.get("/v1/queues/none/stats").json().path("points").size()).isZero();
  }

  @Test
  void a_series_says_since_when_it_is_exact_as_the_overview_does() {
    api.execute("update ebb.stat_state set exact_since = '2026-01-01T00:00:00Z'");
    assertThat(api.get("/v1/queues/none/stats").field("exactSince"))
        .isEqualTo("2026-01-01T00:00:00Z")
        .isEqualTo(api.get("/v1/stats/overview").field("exactSince"));

    api.execute("update ebb.stat_state set exact_since = null");
    assertThat(api.get("/v1/queues/none/stats").json().has("exactSince")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/queues/default/stats?step=2m, step",
    "/v1/queues/default/stats?from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z, from",
    "/v1/queues/default/stats?from=2020-01-01T00:00:00Z&to=2020-01-03T00:00:00Z, from",
    "/v1/queues/default/stats?from=1999-01-01T00:00:00Z, from",
    "/v1/queues/default/stats?to=%2B10000-01-01T00:00:00Z, to",
    "/v1/queues/default/stats?kind=1, kind",
    "/v1/queues/Default/stats, queue",
    "/v1/stats/overview?limit=201, limit",
    "/v1/stats/overview?queue=No+Queue, queue",
    "/v1/stats/overview?from=2020-01-01T00:00:00Z, from"
  })
  void what_cannot_be_shown_is_refused_by_name(String path, String parameter) {
    Reply reply = api.get(path);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("\"" + parameter + "\"");
  }
}
