package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.claim.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Why a job waits: each reason where it holds, and none where it does not. */
class WaitingTest {
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
  void ownQueueAndOneNode() {
    queue = "q" + queues++;
    api.execute("delete from ebb.node");
    node("", 5);
  }

  /** A node that knows the kind "a". */
  private static void node(String more, int inFlight) {
    api.execute(
        """
        insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency, in_flight)
        values ('n' || random(), '1', 'h', '{}', '{a}', 10, %s)
        """
            .formatted(inFlight));
    if (!more.isEmpty()) {
      api.execute("update ebb.node set " + more);
    }
  }

  private String submit(String more) {
    String body = "{\"kind\":\"a\",\"payload\":1,\"queue\":\"" + queue + "\"" + more + "}";
    return api.post("/v1/jobs", body).header("location");
  }

  private void settings(String json) {
    assertThat(api.set("/v1/queues/" + queue, json).status()).isBetween(200, 201);
  }

  private void claim(int most) throws Exception {
    ClaimRequest request =
        ClaimRequest.of(queue, "node", List.of("a"), most, Duration.ofMinutes(1));
    assertThat(api.queue().claim(request)).isPresent();
  }

  private static JsonNode waiting(String job) {
    ApiServer.Reply reply = api.get(job + "/waiting");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private static List<String> codes(String job) {
    JsonNode waiting = waiting(job);
    List<String> codes =
        waiting.path("reasons").valueStream().map(one -> one.path("code").asString()).toList();
    waiting
        .path("reasons")
        .forEach(one -> assertThat(one.path("sentence").asString()).endsWith("."));
    return codes;
  }

  private static JsonNode first(String job) {
    return waiting(job).at("/reasons/0");
  }

  @Test
  void a_job_that_just_became_due_is_merely_new() {
    String job = submit("");

    assertThat(codes(job)).containsExactly("just_due");
    assertThat(waiting(job).path("waiting").asBoolean()).isTrue();
    assertThat(waiting(job).path("state").asString()).isEqualTo("available");
  }

  @Test
  void a_job_that_nothing_known_keeps_says_so() {
    String job = submit("");
    api.execute(
        "update ebb.job set run_at = now() - interval '1 hour' where queue = '" + queue + "'");

    assertThat(codes(job)).containsExactly("unexplained");
    assertThat(Instant.parse(first(job).path("since").asString())).isBefore(Instant.now());
  }

  @Test
  void a_job_of_the_future_is_not_due() {
    String job = submit(",\"runAt\":\"2100-01-01T00:00:00Z\"");

    assertThat(codes(job)).containsExactly("not_due");
    assertThat(first(job).path("until").asString()).isEqualTo("2100-01-01T00:00:00Z");
    assertThat(first(job).path("sentence").asString()).startsWith("Attempt 1 is due at 2100");
  }

  @Test
  void a_held_job_tells_who_held_it_why_and_until_when() {
    String job = submit("");
    String until = "2100-01-01T00:00:00Z";
    api.post(job + "/hold", "{\"reason\":\"fraud check.\",\"until\":\"" + until + "\"}");

    assertThat(codes(job)).containsExactly("held");
    assertThat(first(job).path("by").asString()).isEqualTo("anybody");
    assertThat(first(job).path("reason").asString()).isEqualTo("fraud check.");
    assertThat(first(job).path("until").asString()).isEqualTo(until);

    api.post(job + "/hold", "{}");
    assertThat(first(job).has("until")).isFalse();
    api.post(job + "/release");
    assertThat(codes(job)).containsExactly("just_due");
  }

  @Test
  void a_job_of_an_ordering_key_waits_for_the_first_unless_that_is_skipped() {
    String first = submit(",\"orderingKey\":\"shop\",\"runAt\":\"2100-01-01T00:00:00Z\"");
    String other = submit(",\"orderingKey\":\"mall\"");
    String second = submit(",\"orderingKey\":\"shop\"");

    assertThat(codes(second)).containsExactly("ordering_key");
    assertThat(first(second).path("sentence").asString())
        .isEqualTo(
            "The job waits for job %s, which comes first in the ordering key shop: attempt 1 is"
                    .formatted(first.substring(first.lastIndexOf('/') + 1))
                + " due at 2100-01-01T00:00:00Z.");
    assertThat(first(second).path("blocker").asString())
        .isEqualTo(first.substring(first.lastIndexOf('/') + 1));
    assertThat(waiting(second).has("expectedAt")).isFalse();
    assertThat(codes(other)).containsExactly("just_due");
    assertThat(codes(first)).containsExactly("not_due");

    assertThat(api.post(first + "/skip").status()).isEqualTo(200);
    assertThat(codes(second)).doesNotContain("ordering_key");
  }

  @Test
  void a_paused_queue_tells_who_paused_it_and_why() {
    String job = submit("");
    api.post("/v1/queues/" + queue + "/pause", "{\"reason\":\"merchant is down.\"}");

    assertThat(codes(job)).containsExactly("queue_paused");
    assertThat(first(job).path("by").asString()).isEqualTo("anybody");
    assertThat(first(job).path("sentence").asString())
        .isEqualTo("The queue " + queue + " is paused by anybody: merchant is down.");
    assertThat(first(job).has("since")).isTrue();
  }

  @Test
  void everything_that_lasts_is_told_in_order() {
    String job = submit(",\"runAt\":\"2100-01-01T00:00:00Z\"");
    api.post(job + "/hold", "{}");
    api.post("/v1/queues/" + queue + "/pause");
    api.execute("delete from ebb.node");

    assertThat(codes(job)).containsExactly("not_due", "held", "queue_paused", "no_worker");
  }

  @Test
  void a_queue_that_runs_as_many_jobs_as_it_may_is_full() throws Exception {
    settings("{\"paused\":false,\"maxConcurrency\":2}");
    submit("");
    submit("");
    claim(2);
    String job = submit("");

    assertThat(codes(job)).containsExactly("max_concurrency");
    assertThat(first(job).path("inFlight").asInt()).isEqualTo(2);
    assertThat(first(job).path("maxConcurrency").asInt()).isEqualTo(2);

    settings("{\"paused\":false,\"maxConcurrency\":3}");
    assertThat(codes(job)).containsExactly("just_due");
  }

  @Test
  void a_rate_limit_tells_its_phase_and_when_the_turn_comes() throws Exception {
    settings(
        "{\"paused\":false,\"rateLimit\":"
            + "{\"permitsPerSecond\":0.1,\"warmUp\":\"PT10M\",\"coldFactor\":2}}");
    submit("");
    claim(1);
    String job = submit("");
    String later = submit("");

    assertThat(codes(job)).containsExactly("rate_limit");
    assertThat(first(job).path("phase").asString()).isEqualTo("warming");
    assertThat(first(job).path("rate").asDouble()).isBetween(0.04, 0.06);
    assertThat(codes(later)).containsExactly("rate_limit", "behind_others");
    Instant turn = Instant.parse(first(job).path("expectedAt").asString());
    Instant next = Instant.parse(first(later).path("expectedAt").asString());
    assertThat(Duration.between(turn, next))
        .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(25));
  }

  @Test
  void a_node_that_is_missing_lost_or_stopped_runs_nothing() {
    String job = submit("");
    api.execute("update ebb.node set heartbeat_at = now() - interval '1 minute'");
    assertThat(codes(job)).containsExactly("no_worker");

    api.execute("update ebb.node set heartbeat_at = now(), stopped_at = now()");
    assertThat(codes(job)).containsExactly("no_worker");

    api.execute("update ebb.node set stopped_at = null, kinds = '{b}'");
    assertThat(codes(job)).containsExactly("kind_unknown");

    api.execute("update ebb.node set kinds = '{b,a}', queues = '{other}'");
    assertThat(codes(job)).containsExactly("queue_not_served");

    api.execute("update ebb.node set queues = '{other,%s}'".formatted(queue));
    assertThat(codes(job)).containsExactly("just_due");

    api.execute("update ebb.node set draining = true");
    assertThat(codes(job)).containsExactly("nodes_draining");

    api.execute("update ebb.node set draining = false, in_flight = 10");
    assertThat(codes(job)).containsExactly("nodes_full");

    node("", 0);
    assertThat(codes(job)).containsExactly("just_due");
  }

  @Test
  void a_job_behind_others_tells_how_many_come_first() {
    submit("");
    submit(",\"runAt\":\"2100-01-01T00:00:00Z\",\"priority\":0");
    submit(",\"priority\":0");
    String job = submit("");
    submit("");

    assertThat(codes(job)).containsExactly("behind_others");
    assertThat(first(job).path("ahead").asInt()).isEqualTo(2);
    assertThat(first(job).path("exact").asBoolean()).isTrue();
  }

  @Test
  void a_job_that_runs_or_has_ended_waits_for_nothing() throws Exception {
    String job = submit("");
    claim(1);
    assertThat(codes(job)).containsExactly("running");
    assertThat(first(job).path("sentence").asString()).isEqualTo("Attempt 1 runs on node.");
    assertThat(waiting(job).path("waiting").asBoolean()).isFalse();

    String cancelled = submit("");
    api.post(cancelled + "/cancel");
    assertThat(codes(cancelled)).containsExactly("ended");
    assertThat(waiting(cancelled).path("state").asString()).isEqualTo("cancelled");
    assertThat(api.get("/v1/jobs/" + ApiServer.UNKNOWN_ID + "/waiting").status()).isEqualTo(404);
  }

  @Test
  void a_job_that_cannot_start_before_its_deadline_says_that_it_never_will() {
    String policy =
        ",\"policy\":{\"jitter\":\"none\",\"base\":\"PT1S\",\"cap\":\"PT1S\","
            + "\"deadline\":\"PT1H\"}";
    String late = submit(policy);
    api.execute(
        "update ebb.job set created_at = created_at - interval '2 hours',"
            + " run_at = run_at - interval '2 hours' where queue = '%s'".formatted(queue));
    String inTime = submit(policy);

    assertThat(codes(late)).startsWith("deadline");
    assertThat(codes(inTime)).doesNotContain("deadline");
    assertThat(api.post(inTime + "/hold", "{\"until\":\"2100-01-01T00:00:00Z\"}").status())
        .isEqualTo(200);
    assertThat(codes(inTime)).startsWith("held", "deadline");
  }
}
