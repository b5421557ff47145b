package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What people do over REST to jobs that do not run. */
class JobChangesTest {
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

  private static String submit(String queue, String more) {
    return submitted("{\"kind\":\"report\",\"payload\":1,\"queue\":\"" + queue + "\"" + more + "}");
  }

  private static String submitted(String job) {
    Reply reply = api.post("/v1/jobs", job);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.header("location");
  }

  private static ClaimedJob claim(String queue) throws SQLException {
    ClaimRequest request = new ClaimRequest(queue, "node-1", List.of("report"), 1, 1 << 20, LEASE);
    return api.queue().claim(request).orElseThrow().jobs().getFirst();
  }

  private static void settle(String queue, Settlement settlement) throws SQLException {
    ClaimedJob claimed = claim(queue);
    FinishedAttempt settled =
        new FinishedAttempt(
            claimed,
            new Outcome.Failed(FAILURE),
            settlement,
            "node-1",
            System.nanoTime(),
            Duration.ofMillis(5),
            "{\"request\":{\"body\":\"recorded\"}}");
    assertThat(api.queue().settle(List.of(settled), List.of(claimed.fencingToken()))).isEmpty();
  }

  private static Reply erase(String job) {
    return api.send(api.request(job + "/payload").DELETE());
  }

  @Test
  void a_held_job_says_so_until_it_is_released() {
    String job = submit("hold", "");
    String due = api.get(job).field("runAt");

    Reply held =
        api.post(job + "/hold", "{\"reason\":\"a check\",\"until\":\"2099-01-01T00:00:00Z\"}");

    assertThat(held.status()).as(held.body()).isEqualTo(200);
    assertThat(held.field("state")).isEqualTo("available");
    assertThat(held.field("phase")).isEqualTo("held");
    assertThat(held.field("runAt")).isEqualTo(due);
    assertThat(held.json().path("hold").path("reason").asString()).isEqualTo("a check");
    assertThat(held.json().path("hold").path("until").asString()).isEqualTo("2099-01-01T00:00:00Z");
    JsonNode listed = api.get("/v1/jobs?queue=hold").json().path("items").path(0);
    assertThat(listed.path("phase").asString()).isEqualTo("held");
    Reply retried = api.post(job + "/retry");
    assertThat(retried.status()).isEqualTo(409);
    assertThat(retried.field("detail")).contains("held");

    Reply released = api.post(job + "/release", "{\"reason\":\"it is well\"}");

    assertThat(released.status()).isEqualTo(200);
    assertThat(released.field("phase")).isEqualTo("available");
    assertThat(released.json().has("hold")).isFalse();
    assertThat(api.post(job + "/release").status()).isEqualTo(409);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"until\":\"2020-01-01T00:00:00Z\"} | /until",
        "{\"until\":5} | /until",
        "{\"reason\":\"\"} | /reason",
        "{\"reason\":null} | /reason",
        "{\"untli\":\"2099-01-01T00:00:00Z\"} | /untli",
      })
  void a_hold_that_breaks_a_rule_is_refused_at_its_field(String body, String pointer) {
    String job = submit("hold-broken", "");

    Reply reply = api.post(job + "/hold", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
    assertThat(api.get(job).json().has("hold")).isFalse();
  }

  @Test
  void an_erased_payload_is_gone_for_good() throws SQLException {
    String job = submit("erase", "");
    assertThat(erase(job).status()).as("it may still run").isEqualTo(409);
    settle("erase", new Settlement.DeadLetter("max_attempts", FAILURE));
    assertThat(api.get(job + "/attempts").body()).contains("recorded");

    assertThat(erase(job).status()).isEqualTo(204);
    assertThat(erase(job).status()).as("again").isEqualTo(204);

    assertThat(api.get(job).json().has("payload")).isFalse();
    assertThat(api.get(job).field("deadReason")).isEqualTo("max_attempts");
    assertThat(api.get(job + "/attempts").body()).doesNotContain("recorded");
    Reply redriven = api.post(job + "/redrive");
    assertThat(redriven.status()).isEqualTo(409);
    assertThat(redriven.field("code")).isEqualTo("payload_erased");
    assertThat(erase("/v1/jobs/" + ApiServer.UNKNOWN_ID).status()).isEqualTo(404);
  }
}
