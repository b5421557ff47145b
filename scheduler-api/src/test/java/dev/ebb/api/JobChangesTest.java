package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import java.net.http.HttpRequest.BodyPublishers;
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
    ClaimRequest request = ClaimRequest.of(queue, "node-1", List.of("report"), 1, LEASE);
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
            "{\"request\":{\"body\":\"kept body\"}}");
    assertThat(api.queue().settle(List.of(settled), List.of(claimed.fencingToken()))).isEmpty();
  }

  private static Reply patch(String job, String etag, String body) {
    return api.send(
        api.request(job)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", etag)
            .method("PATCH", BodyPublishers.ofString(body)));
  }

  private static Reply patch(String job, String body) {
    return patch(job, api.get(job).header("etag"), body);
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

  @Test
  void a_job_that_waits_for_its_ordering_key_is_blocked_and_not_held() {
    String job = submit("blocked", ",\"orderingKey\":\"shop\"");
    String due = api.get(job).field("runAt");
    api.execute(
        """
        update ebb.job
        set version = version + 1, blocked_version = version + 1, held_version = version + 1,
          held_run_at = run_at, run_at = 'infinity', held_until = 'infinity'
        where queue = 'blocked'
        """);

    Reply blocked = api.get(job);
    assertThat(blocked.field("phase")).isEqualTo("blocked");
    assertThat(blocked.field("runAt")).isEqualTo(due);
    assertThat(blocked.json().has("hold")).isFalse();
    for (String verb : new String[] {"/release", "/retry"}) {
      Reply refused = api.post(job + verb);
      assertThat(refused.status()).as(verb).isEqualTo(409);
      assertThat(refused.field("detail")).contains("waits for another job of its orderingKey");
    }
  }

  @Test
  void a_job_can_be_skipped_only_if_others_may_wait_for_it() {
    String plain = submit("skipped", "");
    String keyed = submit("skipped", ",\"orderingKey\":\"shop\"");

    assertThat(api.post(plain + "/skip").status()).isEqualTo(409);
    assertThat(api.get(keyed).json().has("skipped")).isFalse();
    assertThat(api.post(keyed + "/skip", "{\"reason\":\"the shop is closed\"}").status())
        .isEqualTo(200);
    assertThat(api.get(keyed).json().path("skipped").asBoolean()).isTrue();
    assertThat(api.get(plain).json().has("skipped")).isFalse();
    assertThat(api.get("/v1/audit?action=job.skip").body()).contains("the shop is closed");
    api.post(keyed + "/cancel");
    assertThat(api.post(keyed + "/skip").status()).isEqualTo(409);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"until\":\"2020-01-01T00:00:00Z\"} | /until",
        "{\"until\":5} | /until",
        "{\"reason\":\"\"} | /reason",
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
  void a_job_is_changed_by_a_merge_patch_and_has_another_tag() {
    String job =
        submitted(
            "{\"kind\":\"report\",\"queue\":\"patch\",\"delay\":\"P1D\",\"timeout\":\"PT5S\","
                + "\"payload\":{\"n\":1.00,\"x\":{\"y\":1}},\"labels\":{\"a\":\"1\",\"b\":\"2\"}}");
    String before = api.get(job).header("etag");

    Reply reply =
        patch(
            job,
            before,
            "{\"priority\":1,\"runAt\":null,\"timeout\":null,\"labels\":{\"a\":null,\"c\":\"3\"},"
                + "\"payload\":{\"x\":{\"y\":2,\"z\":[]}},\"policy\":\"sip\",\"reason\":\"why not\"}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.header("etag")).isNotEqualTo(before);
    assertThat(reply.json().path("priority").asInt()).isEqualTo(1);
    assertThat(reply.field("phase")).isEqualTo("available");
    assertThat(reply.json().has("timeout")).isFalse();
    assertThat(reply.json().path("labels").toString()).isEqualTo("{\"b\":\"2\",\"c\":\"3\"}");
    assertThat(reply.body()).contains("\"payload\":{\"n\":1.00,\"x\":{\"y\":2,\"z\":[]}}");
    assertThat(reply.json().has("policy")).isTrue();
    assertThat(reply.json().path("maxAttempts").asInt()).isEqualTo(16);
    assertThat(
            api.number(
                "select count(*) from ebb.audit where action = 'job.patch' and reason = 'why not'"))
        .isOne();
    assertThat(patch(job, "{\"maxAttempts\":null}").json().path("maxAttempts").asInt())
        .as("the policy's")
        .isNotEqualTo(16);
  }

  @Test
  void a_change_needs_the_tag_of_what_it_means() {
    String job = submit("patch-tag", "");
    String seen = api.get(job).header("etag");
    assertThat(patch(job, seen, "{\"priority\":1}").status()).isEqualTo(200);

    Reply stale = patch(job, seen, "{\"priority\":2}");
    Reply blind =
        api.send(
            api.request(job)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString("{\"priority\":3}")));

    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.field("code")).isEqualTo("precondition_failed");
    assertThat(blind.status()).isEqualTo(428);
    assertThat(blind.field("code")).isEqualTo("precondition_required");
    assertThat(api.get(job).json().path("priority").asInt()).isEqualTo(1);
    assertThat(patch(job, "*", "{\"priority\":4}").status()).isEqualTo(200);
  }

  @Test
  void what_time_alone_changed_is_meant_all_the_same() {
    String job = submitted("{\"kind\":\"report\",\"payload\":1,\"delay\":\"P1D\"}");
    Reply seen = api.get(job);
    assertThat(seen.field("phase")).isEqualTo("scheduled");
    api.execute("update ebb.job set run_at = now() where id = '" + seen.field("id") + "'");

    Reply due = api.get(job);
    Reply patched = patch(job, seen.header("etag"), "{\"priority\":1}");

    assertThat(due.field("phase")).isEqualTo("available");
    assertThat(due.header("etag")).isNotEqualTo(seen.header("etag"));
    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
  }

  @Test
  void what_runs_or_has_ended_is_not_changed() throws SQLException {
    String running = submit("patch-running", "");
    claim("patch-running");
    String dead = submit("patch-dead", "");
    settle("patch-dead", new Settlement.DeadLetter("max_attempts", FAILURE));

    assertThat(patch(running, "{\"priority\":1}").status()).isEqualTo(409);
    assertThat(patch(dead, "{\"priority\":1}").status()).isEqualTo(409);
    assertThat(patch("/v1/jobs/" + ApiServer.UNKNOWN_ID, "*", "{}").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"priority\":10} | /priority",
        "{\"kind\":\"b\"} | /kind",
        "{\"queue\":\"q\"} | /queue",
        "{\"labels\":{\"a\":1}} | /labels/a",
        "{\"policy\":\"nope\"} | /policy",
        "{\"maxAttempts\":0} | /maxAttempts",
        "{\"runAt\":\"1999-01-01T00:00:00Z\"} | /runAt",
      })
  void a_change_that_breaks_a_rule_is_refused_at_its_field(String body, String pointer) {
    Reply reply = patch(submit("patch-broken", ""), body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
  }

  @Test
  void a_payload_that_is_null_stays_as_it_is() {
    String job =
        submitted("{\"kind\":\"report\",\"payload\":{\"n\": 1.0},\"queue\":\"patch-null\"}");

    Reply changed = patch(job, "{\"payload\":null,\"reason\":null,\"priority\":1}");
    Reply cloned = api.post(job + "/clone", "{\"payload\":null,\"runAt\":null,\"uniqueKey\":null}");

    assertThat(changed.body()).contains("\"priority\":1", "\"payload\":{\"n\": 1.0}");
    assertThat(cloned.body()).contains("\"payload\":{\"n\": 1.0}");
  }

  @Test
  void a_change_is_no_plain_json() {
    Reply reply =
        api.send(
            api.request(submit("patch-type", ""))
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .method("PATCH", BodyPublishers.ofString("{\"priority\":1}")));

    assertThat(reply.status()).isEqualTo(415);
  }

  @Test
  void a_deliverys_secrets_go_to_no_other_receiver_unless_they_are_given_anew() {
    String job =
        submitted(
            "{\"kind\":\"http\",\"payload\":{\"url\":\"https://a.example/x\","
                + "\"headers\":{\"x-api-key\":\"s3cret\",\"x-event\":\"paid\"}}}");
    String elsewhere = "\"url\":\"https://b.example/x\"";

    assertThat(patch(job, "{\"payload\":{\"url\":\"https://a.example/y\"}}").status())
        .isEqualTo(200);
    Reply refused = patch(job, "{\"payload\":{" + elsewhere + "}}");
    Reply cloned = api.post(job + "/clone", "{\"payload\":{" + elsewhere + "}}");
    Reply without =
        patch(job, "{\"payload\":{" + elsewhere + ",\"headers\":{\"x-api-key\":null}}}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.firstPointer()).isEqualTo("/payload/headers");
    assertThat(cloned.status()).isEqualTo(400);
    assertThat(without.status()).as(without.body()).isEqualTo(200);
    assertThat(without.json().path("payload").path("headers").toString())
        .isEqualTo("{\"x-event\":\"paid\"}");
  }

  @Test
  void what_answers_show_for_a_secret_does_not_replace_it() {
    String job =
        submitted(
            "{\"kind\":\"http\",\"queue\":\"masks\",\"payload\":{\"url\":\"https://a.example/?token=t0p\","
                + "\"headers\":{\"authorization\":\"Bearer s3cret\",\"x-event\":\"paid\"}}}");
    Reply read = api.get(job);
    JsonNode shown = read.json().path("payload");
    String etag = read.header("etag");

    Reply header = patch(job, etag, "{\"payload\":{\"headers\":" + shown.path("headers") + "}}");
    Reply url = patch(job, etag, "{\"payload\":{\"url\":" + shown.path("url") + "}}");

    assertThat(shown.toString()).contains("***").doesNotContain("s3cret", "t0p");
    assertThat(header.status()).as(header.body()).isEqualTo(400);
    assertThat(header.firstPointer()).isEqualTo("/payload/headers");
    assertThat(url.status()).as(url.body()).isEqualTo(400);
    assertThat(url.firstPointer()).isEqualTo("/payload/url");
    assertThat(api.get(job).header("etag")).isEqualTo(etag);
  }

  @Test
  void a_tag_that_is_none_is_refused_as_such() {
    String job = submit("no-tag", "");

    assertThat(patch(job, "abc", "{\"priority\":0}").status()).isEqualTo(400);
  }

  @Test
  void a_clone_is_a_new_job_like_the_other_with_what_is_overridden() throws SQLException {
    String job =
        submit("clone", ",\"labels\":{\"a\":\"1\"},\"uniqueKey\":\"k\",\"timeout\":\"PT5S\"");
    settle("clone", new Settlement.DeadLetter("max_attempts", FAILURE));
    String id = api.get(job).field("id");

    Reply clone = api.post(job + "/clone");
    Reply other =
        api.post(job + "/clone", "{\"priority\":0,\"queue\":\"other\",\"delay\":\"P1D\"}");

    assertThat(clone.status()).as(clone.body()).isEqualTo(201);
    assertThat(clone.header("location")).isEqualTo("/v1/jobs/" + clone.field("id"));
    assertThat(clone.field("id")).isNotEqualTo(id);
    assertThat(clone.field("state")).isEqualTo("available");
    assertThat(clone.field("timeout")).isEqualTo("PT5S");
    assertThat(clone.json().has("uniqueKey")).isFalse();
    assertThat(clone.json().path("payload").asInt()).isEqualTo(1);
    assertThat(clone.json().path("labels").toString())
        .isEqualTo("{\"a\":\"1\",\"clonedFrom\":\"" + id + "\"}");
    assertThat(other.field("queue")).isEqualTo("other");
    assertThat(other.field("phase")).isEqualTo("scheduled");
    assertThat(api.get(job).field("state")).isEqualTo("dead_letter");
  }

  @Test
  void a_clone_takes_no_key_that_is_held_and_needs_a_payload() throws SQLException {
    String job = submit("clone-key", ",\"uniqueKey\":\"clone-key\"");

    Reply held = api.post(job + "/clone", "{\"uniqueKey\":\"clone-key\"}");
    settle("clone-key", new Settlement.Complete());
    Reply bare = api.post(job + "/clone");
    Reply given = api.post(job + "/clone", "{\"payload\":2}");

    assertThat(held.status()).isEqualTo(409);
    assertThat(held.field("code")).isEqualTo("unique_key_taken");
    assertThat(held.field("existing")).isEqualTo(job);
    assertThat(bare.status()).isEqualTo(400);
    assertThat(bare.firstPointer()).isEqualTo("/payload");
    assertThat(given.status()).isEqualTo(201);
    assertThat(api.post("/v1/jobs/" + ApiServer.UNKNOWN_ID + "/clone").status()).isEqualTo(404);
  }

  @Test
  void an_erased_payload_is_gone_for_good() throws SQLException {
    String job = submit("erase", "");
    assertThat(erase(job).status()).as("it may still run").isEqualTo(409);
    settle("erase", new Settlement.DeadLetter("max_attempts", FAILURE));
    assertThat(api.get(job + "/attempts").body()).contains("kept body");

    assertThat(erase(job).status()).isEqualTo(204);
    assertThat(erase(job).status()).as("again").isEqualTo(204);

    assertThat(api.get(job).json().has("payload")).isFalse();
    assertThat(api.get(job).field("deadReason")).isEqualTo("max_attempts");
    assertThat(api.get(job + "/attempts").body()).doesNotContain("kept body");
    Reply redriven = api.post(job + "/redrive");
    assertThat(redriven.status()).isEqualTo(409);
    assertThat(redriven.field("code")).isEqualTo("payload_erased");
    assertThat(erase("/v1/jobs/" + ApiServer.UNKNOWN_ID).status()).isEqualTo(404);
  }
}
