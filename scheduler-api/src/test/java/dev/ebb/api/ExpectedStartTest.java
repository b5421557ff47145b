package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.api.ApiServer.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Why a job waits and which attempts come speak of the same start. */
class ExpectedStartTest {
  private static final Instant THEN = Instant.parse("2100-01-01T00:00:00Z");

  private static ApiServer api;
  private static int queues;

  private String queue = "";

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void ownQueue() {
    queue = "q" + queues++;
  }

  /** A job that waits 10, 20 and 40 seconds before its retries. */
  private String submit(String more) {
    return api.post(
            "/v1/jobs",
            """
            {"kind":"a","payload":1,"queue":"%s","policy":{"jitter":"none","base":"PT10S",
              "factor":2,"cap":"PT1H","maxAttempts":4}%s}
            """
                .formatted(queue, more))
        .header("location");
  }

  private void limit(String rate) {
    assertThat(
            api.set(
                    "/v1/queues/" + queue,
                    "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":" + rate + "}}")
                .status())
        .isBetween(200, 201);
  }

  private void pause(String more) {
    assertThat(api.post("/v1/queues/" + queue + "/pause", "{" + more + "}").status())
        .isEqualTo(200);
  }

  private static Instant at(JsonNode answer, String pointer) {
    return Instant.parse(answer.at(pointer).asString());
  }

  /** The start in both answers, whose retries follow it. */
  private static Instant agreed(String job) {
    JsonNode waiting = api.get(job + "/waiting").json();
    JsonNode coming = api.get(job + "/attempts/coming").json();
    Instant start = at(coming, "/next/at");

    assertThat(start).isCloseTo(at(waiting, "/expectedAt"), within(1, ChronoUnit.SECONDS));
    assertThat(at(coming, "/bands/0/p50")).isEqualTo(start.plusSeconds(10));
    assertThat(at(coming, "/givesUpAt/p50")).isEqualTo(start.plusSeconds(70));
    return start;
  }

  private static void nobodyKnows(String job, String detail) {
    assertThat(api.get(job + "/waiting").json().has("expectedAt")).isFalse();
    Reply coming = api.get(job + "/attempts/coming");
    assertThat(coming.status()).isEqualTo(409);
    assertThat(coming.field("detail")).contains(detail);
  }

  private static Duration fromNow(Instant start) {
    return Duration.between(Instant.now(), start);
  }

  @Test
  void a_job_that_is_due_starts_at_once() {
    String job = submit("");
    api.execute(
        "update ebb.job set run_at = now() - interval '9 s' where queue = '%s'".formatted(queue));

    assertThat(agreed(job)).isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
  }

  @Test
  void a_scheduled_job_starts_when_it_is_due() {
    assertThat(agreed(submit(",\"runAt\":\"" + THEN + "\""))).isEqualTo(THEN);
  }

  @Test
  void a_retry_starts_when_it_is_due() {
    String job = submit(",\"runAt\":\"" + THEN + "\"");
    api.execute(
        "update ebb.job set attempt = 1, last_delay_micros = 10000000 where queue = '%s'"
            .formatted(queue));

    JsonNode coming = api.get(job + "/attempts/coming").json();

    assertThat(at(coming, "/next/at")).isEqualTo(THEN);
    assertThat(at(api.get(job + "/waiting").json(), "/expectedAt")).isEqualTo(THEN);
    assertThat(at(coming, "/givesUpAt/p50")).isEqualTo(THEN.plusSeconds(60));
  }

  @Test
  void a_job_behind_others_starts_when_the_limiter_lets_it() {
    limit("0.1");
    for (int i = 0; i < 30; i++) {
      submit("");
    }
    String last = submit("");

    assertThat(fromNow(agreed(last))).isBetween(Duration.ofSeconds(280), Duration.ofSeconds(320));
    JsonNode waiting = api.get(last + "/waiting").json();
    assertThat(waiting.at("/reasons/1/code").asString()).isEqualTo("rate_limit");
    assertThat(at(waiting, "/reasons/1/expectedAt")).isEqualTo(at(waiting, "/expectedAt"));
  }

  @Test
  void a_pause_with_an_end_comes_before_the_limiter() {
    limit("0.1");
    for (int i = 0; i < 30; i++) {
      submit("");
    }
    String last = submit("");
    pause("\"until\":\"" + THEN + "\"");

    assertThat(Duration.between(THEN, agreed(last)))
        .isBetween(Duration.ofSeconds(280), Duration.ofSeconds(320));
  }

  @Test
  void nobody_knows_when_a_pause_without_an_end_is_over() {
    String job = submit("");
    pause("");

    nobodyKnows(job, "paused without an end");
  }

  @Test
  void a_held_job_starts_when_its_hold_ends_if_it_does() {
    String job = submit("");
    api.post(job + "/hold", "{\"until\":\"" + THEN + "\"}");
    assertThat(agreed(job)).isEqualTo(THEN);

    api.post(job + "/hold", "{}");
    nobodyKnows(job, "it is held");
  }

  @Test
  void a_job_whose_turn_comes_after_its_deadline_is_given_up_then() {
    limit("0.01");
    for (int i = 0; i < 50; i++) {
      submit("");
    }
    String late =
        api.post(
                "/v1/jobs",
                """
                {"kind":"a","payload":1,"queue":"%s","policy":{"jitter":"none","base":"PT1S",
                  "cap":"PT1S","deadline":"PT1H"}}
                """
                    .formatted(queue))
            .header("location");

    JsonNode waiting = api.get(late + "/waiting").json();
    JsonNode coming = api.get(late + "/attempts/coming").json();

    assertThat(waiting.at("/reasons").toString()).contains("\"code\":\"deadline\"");
    assertThat(waiting.has("expectedAt")).isFalse();
    assertThat(coming.has("next")).isFalse();
    assertThat(fromNow(at(coming, "/givesUpAt/p50"))).isGreaterThan(Duration.ofHours(1));
  }
}
