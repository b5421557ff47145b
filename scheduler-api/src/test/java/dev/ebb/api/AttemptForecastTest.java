package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.claim.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The coming attempts of a job. */
class AttemptForecastTest {
  private static final String STEPS =
      "{\"jitter\":\"none\",\"base\":\"PT10S\",\"factor\":2,\"cap\":\"PT1H\",\"maxAttempts\":4}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String submit(String more) {
    return api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1" + more + "}").header("location");
  }

  private static Instant at(JsonNode answer, String pointer) {
    return Instant.parse(answer.at(pointer).asString());
  }

  @Test
  void the_bands_follow_the_next_start_by_the_jobs_own_policy() {
    String job = submit(",\"runAt\":\"2100-01-01T00:00:00Z\",\"policy\":" + STEPS);

    JsonNode schedule = api.get(job + "/attempts/coming").json();

    Instant next = Instant.parse("2100-01-01T00:00:00Z");
    assertThat(at(schedule, "/next/at")).isEqualTo(next);
    assertThat(schedule.at("/next/attempt").asInt()).isEqualTo(1);
    assertThat(schedule.path("bands").size()).isEqualTo(3);
    assertThat(schedule.at("/bands/2/attempt").asInt()).isEqualTo(4);
    assertThat(at(schedule, "/bands/0/p10")).isEqualTo(next.plusSeconds(10));
    assertThat(at(schedule, "/bands/1/p50")).isEqualTo(next.plusSeconds(30));
    assertThat(at(schedule, "/givesUpAt/p90")).isEqualTo(next.plusSeconds(70));
    assertThat(schedule.at("/policy/base").asString()).isEqualTo("PT10S");
  }

  @Test
  void a_job_without_a_policy_has_that_of_its_queue() {
    assertThat(api.put("/v1/queues/steps", "{\"paused\":false,\"policy\":" + STEPS + "}").status())
        .isBetween(200, 201);

    JsonNode schedule = api.get(submit(",\"queue\":\"steps\"") + "/attempts/coming").json();

    assertThat(schedule.at("/policy/base").asString()).isEqualTo("PT10S");
    assertThat(schedule.path("bands").size()).isEqualTo(3);
  }

  @Test
  void a_running_attempt_is_not_next() throws Exception {
    String job = submit(",\"queue\":\"running\",\"policy\":" + STEPS);
    ClaimRequest request =
        ClaimRequest.of("running", "node", List.of("a"), 1, Duration.ofMinutes(1));
    assertThat(api.queue().claim(request)).isPresent();

    JsonNode schedule = api.get(job + "/attempts/coming").json();

    assertThat(schedule.has("next")).isFalse();
    assertThat(schedule.at("/bands/0/attempt").asInt()).isEqualTo(2);
  }

  @Test
  void a_thousand_attempts_of_ten_years_end_with_the_calendar() {
    String policy =
        "{\"jitter\":\"full\",\"base\":\"P3650D\",\"cap\":\"P3650D\",\"maxAttempts\":1000}";

    JsonNode schedule = api.get(submit(",\"policy\":" + policy) + "/attempts/coming").json();

    assertThat(schedule.path("bands").size()).isEqualTo(999);
    assertThat(at(schedule, "/givesUpAt/p90")).isBefore(Instant.parse("9999-12-31T23:59:59.1Z"));
  }

  @Test
  void no_attempt_is_promised_after_the_deadline() {
    String deadline = STEPS.replace("}", ",\"deadline\":\"PT1H\"}");
    String late = submit(",\"queue\":\"late\",\"policy\":" + deadline);
    api.execute(
        "update ebb.job set created_at = created_at - interval '2 hours',"
            + " run_at = run_at - interval '2 hours' where queue = 'late'");

    JsonNode schedule = api.get(late + "/attempts/coming").json();

    assertThat(schedule.has("next")).isFalse();
    assertThat(schedule.path("bands").size()).isZero();
    assertThat(at(schedule, "/givesUpAt/p50")).isAfter(Instant.now().minusSeconds(600));
  }

  @Test
  void a_job_that_has_ended_has_no_schedule() {
    String job = submit("");
    api.post(job + "/cancel");

    Reply ended = api.get(job + "/attempts/coming");

    assertThat(ended.status()).isEqualTo(409);
    assertThat(ended.field("detail")).contains("cancelled");
    assertThat(api.get("/v1/jobs/" + ApiServer.UNKNOWN_ID + "/attempts/coming").status())
        .isEqualTo(404);
  }
}
