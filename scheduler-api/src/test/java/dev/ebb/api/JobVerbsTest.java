package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class JobVerbsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Failure FAILURE = new Failure("http_500", "answered 500");

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
  void an_available_job_is_cancelled_at_once() {
    String job = submit("cancel-available", "");

    Reply cancelled = api.post(job + "/cancel");
    Reply again = api.post(job + "/cancel");

    assertThat(cancelled.status()).isEqualTo(200);
    assertThat(cancelled.field("state")).isEqualTo("cancelled");
    assertThat(cancelled.field("endedAt")).isNotEmpty();
    assertThat(again.status()).as("a repeated request").isEqualTo(200);
    assertThat(again.body()).isEqualTo(cancelled.body());
  }

  @Test
  void what_ended_otherwise_is_not_cancelled() throws SQLException {
    String dead = submit("cancel-dead", "");
    settle(claim("cancel-dead"), new Settlement.DeadLetter("max_attempts", FAILURE), null);
    String completed = submit("cancel-completed", "");
    settle(claim("cancel-completed"), new Settlement.Complete(), null);

    for (String job : new String[] {dead, completed}) {
      Reply reply = api.post(job + "/cancel");
      assertThat(reply.status()).isEqualTo(409);
      assertThat(reply.field("code")).isEqualTo("wrong_state");
      assertThat(reply.field("detail")).contains(api.get(job).field("state"));
    }
  }

  @Test
  void a_running_job_is_asked_to_stop() throws SQLException {
    String job = submit("cancel-running", "");
    claim("cancel-running");

    Reply reply = api.post(job + "/cancel");

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.field("state")).isEqualTo("running");
    assertThat(reply.json().path("cancelRequested").asBoolean()).isTrue();
  }

  @Test
  void retry_lets_a_job_run_now() {
    String job = submit("retry", ",\"delay\":\"P1D\"");
    assertThat(api.get(job).field("phase")).isEqualTo("scheduled");

    Reply reply = api.post(job + "/retry");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.field("phase")).isEqualTo("available");
  }

  @Test
  void a_running_job_cannot_be_retried() throws SQLException {
    String job = submit("retry-running", "");
    claim("retry-running");

    assertThat(api.post(job + "/retry").status()).isEqualTo(409);
  }

  @Test
  void a_failed_attempt_is_shown_and_the_job_is_retrying() throws SQLException {
    String job = submit("retrying", "");
    settle(
        claim("retrying"), new Settlement.Retry(Duration.ofHours(1), FAILURE), "{\"status\":500}");

    Reply reply = api.get(job);
    Reply attempts = api.get(job + "/attempts");

    assertThat(reply.field("state")).isEqualTo("available");
    assertThat(reply.field("phase")).isEqualTo("retrying");
    assertThat(reply.json().path("attempt").asInt()).isEqualTo(1);
    assertThat(reply.json().path("lastError").path("reason").asString()).isEqualTo("http_500");
    assertThat(attempts.json().path("items").size()).isEqualTo(1);
    assertThat(attempts.json().path("items").path(0).path("outcome").asString())
        .isEqualTo("failed");
    assertThat(attempts.body())
        .contains("\"detail\":{\"status\":500}", "\"message\":\"answered 500\"");
    assertThat(api.get("/v1/jobs?queue=retrying").json().path("items").path(0).has("payload"))
        .isFalse();
  }

  @Test
  void a_dead_letter_is_redriven_and_nothing_else_is() throws SQLException {
    String job = submit("redrive", "");
    assertThat(api.post(job + "/redrive").status()).isEqualTo(409);
    settle(claim("redrive"), new Settlement.DeadLetter("max_attempts", FAILURE), null);
    assertThat(api.get(job).field("state")).isEqualTo("dead_letter");
    assertThat(api.get(job).field("deadReason")).isEqualTo("max_attempts");

    Reply reply = api.post(job + "/redrive");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.field("state")).isEqualTo("available");
    assertThat(reply.json().path("attempt").asInt()).isZero();
  }

  @Test
  void a_retry_keeps_the_attempts_unless_it_is_told_to_reset_them() throws SQLException {
    String job = submit("retry-reset", "");
    settle(claim("retry-reset"), new Settlement.Retry(Duration.ofHours(1), FAILURE), null);

    Reply kept = api.post(job + "/retry", "{\"resetAttempts\":false}");
    Reply reset = api.post(job + "/retry", "{\"reason\":\"mended\",\"resetAttempts\":true}");

    assertThat(kept.json().path("attempt").asInt()).as(kept.body()).isOne();
    assertThat(reset.json().path("attempt").asInt()).as(reset.body()).isZero();
    assertThat(actions(job)).containsExactly("job.retry_reset_attempts", "job.retry");
  }

  @Test
  void a_redrive_resets_the_attempts_unless_it_is_told_to_keep_them() throws SQLException {
    String job = submit("redrive-keep", ",\"maxAttempts\":4");
    settle(claim("redrive-keep"), new Settlement.Retry(Duration.ZERO, FAILURE), null);
    settle(claim("redrive-keep"), new Settlement.DeadLetter("fatal", FAILURE), null);

    Reply kept = api.post(job + "/redrive", "{\"resetAttempts\":false}");
    settle(claim("redrive-keep"), new Settlement.DeadLetter("fatal", FAILURE), null);
    Reply reset = api.post(job + "/redrive", "{\"resetAttempts\":true}");

    assertThat(kept.json().path("attempt").asInt()).as(kept.body()).isEqualTo(2);
    assertThat(reset.json().path("attempt").asInt()).as(reset.body()).isZero();
    assertThat(actions(job)).containsExactly("job.redrive", "job.redrive_keep_attempts");
  }

  private static List<String> actions(String job) {
    String id = job.substring(job.lastIndexOf('/') + 1);
    return api.get("/v1/audit?subject=" + id).json().findValuesAsString("action");
  }

  @Test
  void whether_to_reset_attempts_is_said_with_true_or_false() {
    String job = submit("reset-word", "");

    for (String verb : List.of("/retry", "/redrive")) {
      Reply refused = api.post(job + verb, "{\"resetAttempts\":\"yes\"}");
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.firstPointer()).isEqualTo("/resetAttempts");
    }
    assertThat(api.post(job + "/cancel", "{\"resetAttempts\":true}").firstPointer())
        .isEqualTo("/resetAttempts");
  }

  @Test
  void a_redrive_begins_the_ramp_of_its_queue_anew_unless_it_is_told_not_to() throws SQLException {
    for (boolean warmUp : new boolean[] {false, true}) {
      String queue = "redrive-ramp-" + warmUp;
      String job = submit(queue, "");
      settle(claim(queue), new Settlement.DeadLetter("max_attempts", FAILURE), null);
      api.put(
          "/v1/queues/" + queue,
          "{\"paused\":false,\"rateLimit\":{\"permitsPerSecond\":9,\"warmUp\":\"PT1H\"}}");
      api.execute(
          "insert into ebb.limiter (queue, coldness, next_free_at) values ('%s', 0, now())"
              .formatted(queue));

      assertThat(api.post(job + "/redrive?warmUp=" + warmUp).status()).isEqualTo(200);

      assertThat(api.get("/v1/queues/" + queue + "/limiter").field("phase"))
          .isEqualTo(warmUp ? "cold" : "warm");
    }
  }

  @Test
  void a_dead_letter_whose_key_another_job_holds_is_not_redriven() throws SQLException {
    String job = submit("redrive-key", ",\"uniqueKey\":\"k\"");
    settle(claim("redrive-key"), new Settlement.DeadLetter("max_attempts", FAILURE), null);
    submit("redrive-key", ",\"uniqueKey\":\"k\"");

    Reply reply = api.post(job + "/redrive");

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.field("code")).isEqualTo("unique_key_taken");
  }

  @Test
  void a_job_without_an_attempt_shows_none() {
    String job = submit("no-attempts", "");

    assertThat(api.get(job + "/attempts").body()).isEqualTo("{\"items\":[]}");
  }

  private static String submit(String queue, String more) {
    Reply reply =
        api.post(
            "/v1/jobs",
            "{\"kind\":\"report\",\"payload\":1,\"queue\":\"" + queue + "\"" + more + "}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return "/v1/jobs/" + UUID.fromString(reply.field("id"));
  }

  private static ClaimedJob claim(String queue) throws SQLException {
    ClaimRequest request = ClaimRequest.of(queue, "node-1", List.of("report"), 1, LEASE);
    Lease lease = api.queue().claim(request).orElseThrow();
    return lease.jobs().getFirst();
  }

  private static void settle(ClaimedJob claimed, Settlement settlement, @Nullable String detail)
      throws SQLException {
    FinishedAttempt settled =
        new FinishedAttempt(
            claimed,
            new Outcome.Failed(FAILURE),
            settlement,
            "node-1",
            System.nanoTime(),
            Duration.ofMillis(5),
            detail);
    assertThat(api.queue().settle(List.of(settled), List.of(claimed.fencingToken()))).isEmpty();
  }
}
