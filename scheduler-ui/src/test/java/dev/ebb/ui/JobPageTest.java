package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.OrderedJobs;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.ui.UiServer.Answer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class JobPageTest {
  private static UiServer server;
  private static String viewer;
  private static String operator;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
    viewer = server.token("viewer", Role.VIEWER).text();
    operator = server.token("operator", Role.OPERATOR).text();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String submit(String json) {
    Answer answer = server.post("/v1/jobs", json, UiServer.ADMIN);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.field("id");
  }

  private static String page(String id, String token) {
    Answer answer = server.get("/ui/jobs/" + id, token);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static void act(String id, String verb) {
    Answer answer =
        server.post("/v1/jobs/" + id + "/" + verb, "{\"reason\":\"as told\"}", operator);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static void recordAttempt(String id) {
    server.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node)
        values ('%s', now(), now(), 1, 'failed', 'n-7')
        """
            .formatted(id));
  }

  private static void settle(Settlement settlement) throws SQLException {
    JobQueue jobs = new JobQueue(server.database());
    ClaimRequest one =
        ClaimRequest.of("questions", "node", List.of("ask"), 1, Duration.ofSeconds(15));
    ClaimedJob claimed = jobs.claim(one).orElseThrow().jobs().getFirst();
    FinishedAttempt finished =
        new FinishedAttempt(
            claimed,
            Outcome.completed(),
            settlement,
            "node",
            System.nanoTime(),
            Duration.ZERO,
            null);
    assertThat(jobs.settle(List.of(finished), List.of(claimed.fencingToken()))).isEmpty();
  }

  @Test
  void it_links_what_follows_and_says_that_an_answer_came_late() throws SQLException {
    String first =
        submit(
            """
            {"kind": "ask", "queue": "questions", "payload": {}, "then": {
              "completed": {"kind": "refund", "queue": "refunds", "payload": 1},
              "deadLetter": {"kind": "cancel", "queue": "cancels", "payload": 1}}}
            """);
    assertThat(page(first, viewer))
        .contains("followed by a job of kind refund", "followed by a job of kind cancel");
    settle(new Settlement.DeadLetter("deadline", new Failure("pending", "no answer")));
    String cancel =
        server.get("/v1/jobs/" + first, viewer).json().at("/then/deadLetter/job").asString();
    assertThat(page(first, viewer)).contains("/ui/jobs/" + cancel).doesNotContain("Answered late");

    act(first, "redrive");
    settle(new Settlement.Complete());

    String refund =
        server.get("/v1/jobs/" + first, viewer).json().at("/then/completed/job").asString();
    assertThat(page(first, viewer))
        .contains("Answered late", "/ui/jobs/" + cancel, "/ui/jobs/" + refund);
    assertThat(page(refund, viewer)).contains("Follows", "/ui/jobs/" + first);
  }

  @Test
  void a_blocked_job_shows_what_blocks_it_and_who_may_skips_that() throws SQLException {
    List<UUID> jobs = OrderedJobs.block(server.database(), "refunds", "order-4711", 2);
    String first = jobs.getFirst().toString();
    String skip = "data-api=\"POST /v1/jobs/" + first + "/skip\"";

    assertThat(page(jobs.getLast().toString(), viewer))
        .contains("Blocked by", "/ui/jobs/" + first, "q=ordering%3Aorder-4711")
        .contains("<code>http_500</code>", "<dt>Due since</dt>")
        .contains("none planned while it waits for the first job of its ordering key.")
        .doesNotContain(skip, "queue is paused");
    assertThat(page(jobs.getLast().toString(), operator)).contains(skip);
    assertThat(page(first, operator)).contains(skip).doesNotContain("Blocked by");
  }

  @Test
  void a_job_can_be_skipped_only_while_others_wait_for_it() throws SQLException {
    List<UUID> jobs = OrderedJobs.block(server.database(), "skipped", "order-4713", 3);
    String first = jobs.getFirst().toString();
    String skip = "data-dialog=\"skip-";
    UUID alone = OrderedJobs.block(server.database(), "alone", "order 4712", 1).getFirst();

    assertThat(page(first, operator)).contains(skip + first);
    assertThat(page(first, operator)).doesNotContain("skipped: the jobs behind it");
    act(first, "skip");
    assertThat(page(first, operator))
        .contains("skipped: the jobs behind it pass it")
        .doesNotContain(skip);
    assertThat(page(jobs.get(1).toString(), operator)).contains(skip + jobs.get(1));
    assertThat(page(alone.toString(), operator)).doesNotContain(skip);
  }

  @Test
  void a_payload_keeps_every_digit() {
    String id = submit("{\"kind\":\"report\",\"payload\":{\"a\":1.10,\"b\":12345678901234567890}}");

    assertThat(page(id, operator)).contains("1.10", "12345678901234567890");
  }

  @Test
  void what_is_masked_stays_masked_and_a_viewer_is_offered_no_action() {
    String id = submit("{\"kind\":\"report\",\"payload\":{\"card\":\"4111-1111\"}}");

    assertThat(page(id, viewer))
        .contains("payload:read")
        .doesNotContain("4111-1111", "data-api", "<dialog");
    assertThat(page(id, operator)).contains("4111-1111", "data-dialog=\"retry\"");
  }

  @Test
  void actions_follow_the_state() {
    String id = submit("{\"kind\":\"report\",\"payload\":1,\"delay\":\"PT1H\"}");
    assertThat(page(id, operator))
        .contains("data-dialog=\"retry\"", "data-dialog=\"hold\"", "data-dialog=\"cancel\"")
        .doesNotContain("data-dialog=\"release\"", "data-dialog=\"redrive\"", "\"erase\"");

    act(id, "hold");
    assertThat(page(id, operator)).contains("data-dialog=\"release\"", "until released");

    act(id, "release");
    act(id, "cancel");
    assertThat(page(id, operator))
        .contains("data-dialog=\"clone\"", "as told", "job.cancel")
        .doesNotContain("data-dialog=\"retry\"", "data-dialog=\"cancel\"", "\"erase\"");
  }

  @Test
  void erasing_is_offered_only_while_something_is_left_to_erase() {
    String id = submit("{\"kind\":\"report\",\"payload\":1,\"delay\":\"PT1H\"}");
    act(id, "cancel");
    recordAttempt(id);
    assertThat(page(id, operator)).doesNotContain("\"erase\"");

    server.execute("update ebb.attempt set detail = '{\"a\":1}' where job_id = '%s'".formatted(id));
    assertThat(page(id, operator)).contains("data-dialog=\"erase\"", "Erase records");
    assertThat(page(id, viewer)).doesNotContain("data-dialog=\"erase\"");
  }

  @Test
  void a_job_that_waits_has_its_policy_in_words_and_a_table_beside_the_drawing() {
    String id =
        submit(
            """
            {"kind":"report","payload":1,"maxAttempts":3,
             "policy":{"jitter":"none","base":"PT1M","cap":"PT1H"}}
            """);

    assertThat(page(id, viewer))
        .contains(
            "First try and up to 2 retries, no jitter, exactly 1 min doubling to a 1 h cap; gives"
                + " up 3 min after the first try.")
        .contains("svg class=\"chart for-phone\"", "svg class=\"chart for-wide\"", "As a table");
  }

  @Test
  void a_paused_job_keeps_its_policy_and_says_when_it_is_expected_if_the_pause_has_an_end() {
    String id = submit("{\"kind\":\"k\",\"queue\":\"shut\",\"payload\":1}");
    String pause = "/v1/queues/shut/pause";

    server.post(pause, "{}", operator);
    assertThat(page(id, viewer))
        .contains("First try and up to 15 retries")
        .doesNotContain("is expected to start", "gives up", "after the first try");

    server.post("/v1/queues/shut/resume", "{}", operator);
    server.post(pause, "{\"until\":\"2100-01-01T00:00:00Z\"}", operator);
    assertThat(page(id, viewer))
        .contains("First try and up to 15 retries", "after the first try")
        .containsPattern("Attempt 1 is expected to start <time datetime=\"2100-01-01T00:00:00Z\"");
  }

  @Test
  void an_attempt_shows_what_was_sent_and_got_and_where_its_time_went() {
    String id = submit("{\"kind\":\"report\",\"payload\":1}");
    server.execute(
        "update ebb.job set created_at = created_at - interval '1 min' where id = '%s'"
            .formatted(id));
    server.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
        values ('%s', now() - interval '42 ms', now(), 1, 'failed', 'http_500', 'It said no', 'n-7',
          '{"request":{"method":"POST","url":"https://m.example/","headers":[
              {"name":"x-sent","value":"***"}],"resent":true,"body":"{}","bodyBytes":2,"bodyCut":false},
            "response":{"status":500,"headers":[{"name":"x-got","value":"v"}],"headersCut":true,
              "body":"oops","bodyBytes":9,"bodyCut":true,"bodyBase64":false,
              "faults":[{"reason":"body_truncated","message":"the connection ended early"}]},
            "rule":"default: 500 is not in the success rule http-2xx",
            "connection":{"address":"203.0.113.7:443",
              "tls":{"version":"TLSv1.3","subject":"CN=m.example","sha256":"0a1b"}},
            "millis":{"lookup":1,"tcp":3,"connect":8,"head":20,"total":21}}')
        """
            .formatted(id));

    assertThat(page(id, operator))
        .contains(fact("Connected to", "203.0.113.7:443"), fact("TLS", "TLSv1.3, CN=m.example"))
        .contains(fact("Certificate, SHA-256", "0a1b"))
        .contains(fact("Decided by", "default: 500 is not in the success rule http-2xx"))
        .contains("POST https://m.example/", "x-sent: ***", "Status 500", "x-got: v", "oops")
        .contains("Sent again on a new connection", "faulty: the connection ended early.")
        .contains("9 bytes, cut", "more headers not kept", "It said no", "n-7")
        .contains(total("to-lookup", "name", "1 ms"), total("to-connect", "connect", "2 ms"))
        .contains(total("to-tls", "TLS", "5 ms"), total("to-first-byte", "first byte", "12 ms"))
        .contains(total("to-body", "body", "1 ms"), total("to-node", "in the node", "21 ms"))
        .containsPattern("<dt>Ended</dt><dd><time [^>]*>[0-9-]+ [0-9:]{8} UTC</time>");
    assertThat(page(id, viewer))
        .doesNotContain("https://m.example", "x-got", "oops")
        .contains("Status 500")
        .contains(total("to-node", "in the node", "21 ms"))
        .doesNotContain("part to-limiter", "part to-slot");
  }

  @Test
  void a_job_whose_attempts_are_kept_no_longer_does_not_look_as_if_it_had_none() {
    String id = submit("{\"kind\":\"report\",\"queue\":\"aged\",\"payload\":1}");
    UUID old = UUID.fromString("01800000-0000-7000-8000-000000000001");
    server.execute("update ebb.job set id = '%s', attempt = 2 where id = '%s'".formatted(old, id));

    assertThat(page(old.toString(), viewer))
        .containsPattern("Attempts before [0-9-]+ 00:00:00 UTC are no longer kept\\.")
        .contains("None of its attempts is kept.")
        .doesNotContain("No attempts yet");
  }

  private static String fact(String name, String value) {
    return "<div class=\"broad\"><dt>%s</dt><dd>%s</dd></div>".formatted(name, value);
  }

  private static String total(String shade, String part, String length) {
    return "<li><span class=\"part %s\">%s</span> %s</li>".formatted(shade, part, length);
  }

  @Test
  void the_page_begins_with_how_late_the_job_is_and_why() {
    String id =
        submit(
            "{\"kind\":\"http\",\"payload\":{\"url\":\"https://m.example/\"},\"delay\":\"PT1H\"}");
    server.execute(
        "update ebb.job set created_at = now() - interval '40 s', attempt = 1 where id = '%s'"
            .formatted(id));
    server.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, failure_reason, failure, node,
          due_at, short_since, short_until, recorded_at)
        select
          id, at + interval '9 s', at + interval '9042 ms', 1, 'failed', 'http_500', 'no', 'n-7',
          at + interval '2 s', at + interval '1 s', at + interval '7 s', at + interval '9049 ms'
        from (select id, created_at as at from ebb.job where id = '%s')
        """
            .formatted(id));

    assertThat(page(id, viewer))
        .containsPattern(
            "<p class=\"sentence\">Late by [0-9.]+ s so far: the merchant answered 500 once;"
                + " attempt 2 is due at <time ")
        .contains(total("to-limiter", "limiter", "5 s"), total("to-slot", "slot", "2 s"))
        .contains(total("to-scheduled", "scheduled", "2 s"), total("to-run", "run", "42 ms"))
        .contains(total("to-commit", "commit", "7 ms"), "class=\"part to-backoff\"")
        .contains("class=\"chart timebar\"", "until now", "Part by part", "Together")
        .doesNotContain("to-waiting");
  }

  @Test
  void a_pause_that_is_over_is_told_to_those_who_may_see_the_audit_of_the_queue() {
    String id = submit("{\"kind\":\"report\",\"queue\":\"bank\",\"payload\":1}");
    server.post("/v1/queues/bank/pause", "{}", operator);
    server.post("/v1/queues/bank/resume", "{}", operator);

    assertThat(page(id, operator)).contains("part to-paused");
    assertThat(page(id, viewer)).doesNotContain("part to-paused");
  }

  @Test
  void a_jobs_title_is_its_key_and_what_it_is_about() {
    String keyed =
        submit(
            """
            {"kind":"http","payload":{"url":"http://shop.example/x"},"uniqueKey":"refund-<1>",
             "delay":"PT1H"}
            """);
    String bare = submit("{\"kind\":\"report\",\"payload\":1,\"delay\":\"PT1H\"}");

    assertThat(page(keyed, viewer))
        .contains("<title>refund-&lt;1&gt; → shop.example · Ebb</title>")
        .containsPattern("<h1><span>refund-&lt;1&gt;</span> → shop\\.example</h1>");
    assertThat(page(bare, viewer))
        .contains("<title>…" + bare.substring(24) + " (report) · Ebb</title>")
        .contains("…" + bare.substring(24) + "</span> <span class=\"hint\">report</span></h1>");
  }
}
