package dev.ebb.api;

import static dev.ebb.api.LeasesTest.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a worker tells while it waits or runs, and what it may not tell. */
class RenewalsTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ApiServer api;
  private String queue = "";
  private String worker = "";

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void newNames() {
    int n = NUMBER.incrementAndGet();
    queue = "renewed-" + n;
    worker = "renewing-" + n;
  }

  private Reply polled(String name, String wait) {
    return api.post("/v1/leases", LeasesTest.poll(name, queue, 1, wait, ""));
  }

  private void submit() {
    String job = "{\"kind\":\"paid\",\"queue\":\"" + queue + "\",\"payload\":1}";
    assertThat(api.post("/v1/jobs", job).status()).isEqualTo(201);
  }

  private JsonNode leased() {
    submit();
    return polled(worker, "PT5S").json();
  }

  private Reply renewed(JsonNode lease, String progress) {
    String job = lease.path("jobs").path(0).path("id").asString();
    return api.post(
        "/v1/leases/renew",
        "{\"worker\":\"%s\",\"leases\":[\"%s\"],\"progress\":{\"%s\":%s}}"
            .formatted(worker, lease(lease), job, progress));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[1e131071]", "{\"percent\":1E-16000}", "[1, 2.5e+0100]", "1e200000", "-1.0e999"})
  void progress_that_would_be_long_when_written_out_is_refused(String progress) {
    JsonNode lease = leased();

    Reply refused = renewed(lease, progress);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("exponent", "/progress/");
    assertThat(renewed(lease, "{\"at\":1e99,\"text\":\"1e131071\"}").status()).isEqualTo(200);
  }

  @Test
  void the_progress_of_a_job_has_at_most_8_kib() {
    JsonNode lease = leased();

    assertThat(renewed(lease, "\"" + "x".repeat(8_190) + "\"").status()).isEqualTo(200);
    assertThat(renewed(lease, "\"" + "x".repeat(8_191) + "\"").field("code"))
        .isEqualTo("invalid_input");
    assertThat(renewed(lease, "\"" + "\u20ac".repeat(2_800) + "\"").status()).isEqualTo(400);
  }

  @Test
  void a_worker_whose_poll_waits_for_long_is_not_lost() throws Exception {
    assertThat(polled("other", "PT0S").status()).isEqualTo(204);
    CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> polled(worker, "PT30S"));
    Await.until("it waits", () -> api.get("/v1/nodes/" + worker).status() == 200);
    api.execute(
        "update ebb.node set heartbeat_at = now() - interval '1 hour' where name = '"
            + worker
            + "'");

    // By which all polls are looked at.
    api.post("/v1/leases/stop", "{\"worker\":\"other\"}");

    Await.until("it lives", () -> api.get("/v1/nodes/" + worker).field("state").equals("running"));
    submit();
    assertThat(waiting.get(1, TimeUnit.MINUTES).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"outcome\":\"failed\",\"reason\":\"x\",\"retryAfter\":\"PT1H\"",
        "\"outcome\":\"not_ready\",\"retryAfter\":\"PT1H\"",
        "\"outcome\":\"throttled\",\"reason\":\"x\",\"delay\":\"PT1H\""
      })
  void a_time_that_the_outcome_would_ignore_is_refused(String outcome) {
    JsonNode lease = leased();
    String result = LeasesTest.result(lease, 0, outcome);

    Reply refused =
        api.post(
            "/v1/leases/settle", "{\"worker\":\"" + worker + "\",\"results\":[" + result + "]}");

    assertThat(refused.field("code")).isEqualTo("invalid_input");
    assertThat(refused.body()).contains("must be absent unless the outcome is");
  }
}
