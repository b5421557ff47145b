package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The forecast over REST. */
class ForecastTest {
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
  void sixty_minutes_follow_each_other_behind_what_is_overdue() {
    String job = "{\"kind\":\"a\",\"payload\":1,\"queue\":\"limited\"";
    api.put("/v1/queues/limited", "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":2.5}}");
    api.post("/v1/jobs", job + "}");
    api.post("/v1/jobs", job + ",\"delay\":\"PT90S\"}");
    api.execute("update ebb.job set attempt = 12, max_attempts = 99 where run_at > now()");

    JsonNode forecast = api.get("/v1/stats/forecast?queue=limited").json();

    assertThat(forecast.path("exact").asBoolean()).isTrue();
    assertThat(forecast.path("permitsPerMinute").asDouble()).isEqualTo(150);
    assertThat(forecast.at("/minutes/59/permits").asDouble()).isCloseTo(150, within(1e-6));
    assertThat(forecast.path("paused").asBoolean()).isFalse();
    assertThat(forecast.path("overdue").toString())
        .isEqualTo("{\"jobs\":1,\"exact\":true,\"byAttempt\":{\"1\":1}}");
    assertThat(forecast.path("minutes").size()).isEqualTo(60);
    assertThat(forecast.at("/minutes/0/at")).isEqualTo(forecast.path("asOf"));
    assertThat(forecast.at("/minutes/1/byAttempt").toString()).isEqualTo("{\"10+\":1}");
    assertThat(forecast.at("/minutes/2/jobs").asInt()).isZero();
  }

  @Test
  void a_cut_rate_is_told_as_cut_now_and_as_it_recovers_in_the_minutes() {
    api.put("/v1/queues/cut", "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":2.5}}");
    api.execute(
        """
        insert into ebb.limiter (
          queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
        values ('cut', 0, now(), 1, 0.5, now() + interval '1 day', now() + interval '1 day')
        """);

    JsonNode forecast = api.get("/v1/stats/forecast?queue=cut").json();

    assertThat(forecast.path("permitsPerMinute").asDouble()).isEqualTo(75);
    // A second at half, three up to nine tenths, and ten more until it is whole.
    double lost = 2.5 * (0.5 + 3 * 0.3 + 10 * 0.05);
    assertThat(forecast.at("/minutes/0/permits").asDouble()).isCloseTo(150 - lost, within(0.01));
    assertThat(forecast.at("/minutes/1/permits").asDouble()).isCloseTo(150, within(1e-6));
  }

  @Test
  void a_forecast_of_all_names_the_queues_that_it_leaves_out() {
    api.post("/v1/queues/paused/pause", "{}");

    Reply reply = api.get("/v1/stats/forecast");

    assertThat(reply.json().path("pausedQueues").toString()).isEqualTo("[\"paused\"]");
    assertThat(reply.json().has("queue")).isFalse();
    assertThat(api.get("/v1/stats/forecast?queue=paused").json().path("paused").asBoolean())
        .isTrue();
    assertThat(api.get("/v1/stats/forecast?queue=NO").firstPointer()).isEqualTo("queue");
  }
}
