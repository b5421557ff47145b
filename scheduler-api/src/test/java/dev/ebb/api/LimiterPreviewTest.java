package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a queue's limiter would be with another limit. */
class LimiterPreviewTest {
  private static final String OTHER =
      "{\"rateLimit\":{\"permitsPerSecond\":50,\"warmUp\":\"PT20S\",\"coldFactor\":5}}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply preview(String queue, String body) {
    return api.post("/v1/queues/" + queue + "/limiter/preview", body);
  }

  private static void half(String queue) {
    api.put(
        "/v1/queues/" + queue,
        "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":200,\"warmUp\":\"PT1H\"}}");
    api.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('%s', 0.75, now())"
            .formatted(queue));
  }

  @Test
  void a_preview_is_what_the_limiter_becomes_when_the_limit_is_saved() {
    half("tried");

    JsonNode preview = preview("tried", OTHER).json();
    JsonNode before = api.get("/v1/queues/tried/limiter").json();
    api.set("/v1/queues/tried", "{\"paused\":false," + OTHER.substring(1));
    JsonNode after = api.get("/v1/queues/tried/limiter").json();

    assertThat(before.path("configuredRate").asDouble()).isEqualTo(200);
    assertThat(preview.path("phase").asString()).isEqualTo("warming");
    assertThat(preview.path("curve")).isEqualTo(after.path("curve"));
    for (String field : new String[] {"configuredRate", "coldRate", "stableRate", "maxPermits"}) {
      assertThat(preview.path(field)).as(field).isEqualTo(after.path(field));
    }
    // Idle time cools it further, by at most a tenth before the second answer.
    double most = preview.path("maxPermits").asDouble();
    assertThat(preview.path("storedPermits").asDouble()).isCloseTo(0.75 * most, within(0.1 * most));
  }

  @Test
  void a_queue_that_has_no_limit_would_begin_cold() {
    api.put("/v1/queues/free", "{\"paused\":false}");

    for (String queue : new String[] {"free", "nowhere"}) {
      JsonNode preview = preview(queue, OTHER).json();
      assertThat(preview.path("phase").asString()).isEqualTo("cold");
      assertThat(preview.path("currentRate").asDouble()).isEqualTo(10);
    }
    assertThat(api.get("/v1/queues/free/limiter").body()).isEqualTo("{\"phase\":\"unlimited\"}");
    assertThat(api.get("/v1/queues/nowhere").status()).isEqualTo(404);
  }

  @Test
  void a_limit_that_breaks_a_rule_is_refused_at_its_field() {
    assertThat(preview("q", "{}").firstPointer()).isEqualTo("/rateLimit");
    assertThat(preview("q", "{\"rateLimit\":{}}").firstPointer())
        .isEqualTo("/rateLimit/permitsPerSecond");
    assertThat(preview("q", OTHER.replace("PT20S", "P2D")).firstPointer())
        .isEqualTo("/rateLimit/warmUp");
    assertThat(preview("q", OTHER.replace(":5}", ":500}")).firstPointer())
        .isEqualTo("/rateLimit/coldFactor");
    assertThat(preview("q", "{\"rateLimt\":{}}").body()).contains("did you mean rateLimit?");
    assertThat(preview("NO", OTHER).firstPointer()).isEqualTo("queue");
  }
}
