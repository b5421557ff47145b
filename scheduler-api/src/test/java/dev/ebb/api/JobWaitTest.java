package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import dev.ebb.db.claim.ClaimRequest;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of one job: by what the caller knows, and with a wait for what it does not. */
class JobWaitTest {
  private static final String ASKED =
      """
      select count(*)
      from pg_stat_activity
      where query like '%::uuid[]) as asked%'
        and datname = current_database()
        and pid <> pg_backend_pid()
      """;

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private String submit() {
    return submit("");
  }

  private String submit(String more) {
    Reply stored = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1" + more + "}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.header("location");
  }

  private Reply get(String path, String known) {
    HttpRequest.Builder request = api.request(path).GET();
    return api.send(known.isEmpty() ? request : request.header("If-None-Match", known));
  }

  private CompletableFuture<Reply> waiting(String path, String known) throws Exception {
    CompletableFuture<Reply> answer = asking(path, known);
    awaitMarks(api);
    return answer;
  }

  private CompletableFuture<Reply> asking(String path, String known) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(get(path, known)));
    return answer;
  }

  /** Until a connection has asked for marks, which one does twice a second. */
  private static void awaitMarks(ApiServer api) throws Exception {
    Await.until("it asks for marks", () -> api.number(ASKED) > 0);
  }

  private static Reply answer(CompletableFuture<Reply> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void a_caller_that_knows_the_job_gets_no_body() {
    String job = submit();
    Reply first = get(job, "");

    assertThat(first.header("etag")).matches("\"0\\.[A-Za-z0-9_-]{22}\"");
    Reply again = get(job, "W/\"x\", " + first.header("etag"));
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.header("etag")).isEqualTo(first.header("etag"));

    api.post(job + "/cancel");
    Reply changed = get(job, first.header("etag"));
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.header("etag")).isNotEqualTo(first.header("etag"));
  }

  @Test
  void a_wait_ends_when_the_job_does() throws Exception {
    String job = submit();

    CompletableFuture<Reply> answer = waiting(job + "?wait=60s", "");
    assertThat(answer).isNotDone();
    api.post(job + "/cancel");

    assertThat(answer(answer).field("state")).isEqualTo("cancelled");
  }

  @Test
  void a_wait_for_another_state_ends_when_the_job_runs() throws Exception {
    String job = submit();

    CompletableFuture<Reply> answer = waiting(job + "?wait=60s", get(job, "").header("etag"));
    claim(api.queue());

    assertThat(answer(answer).field("state")).isEqualTo("running");
  }

  @Test
  void a_wait_ends_when_the_job_is_skipped() throws Exception {
    String keyed = "{\"kind\":\"report\",\"payload\":1,\"orderingKey\":\"shop\"}";
    String job = "/v1/jobs/" + api.post("/v1/jobs", keyed).field("id");

    CompletableFuture<Reply> answer = waiting(job + "?wait=60s", get(job, "").header("etag"));
    assertThat(api.post(job + "/skip").status()).isEqualTo(200);

    assertThat(answer(answer).field("skipped")).isEqualTo("true");
  }

  private static void claim(JobQueue queue) throws Exception {
    ClaimRequest request =
        ClaimRequest.of("default", "node", List.of("a"), 1, Duration.ofMinutes(1));
    assertThat(queue.claim(request)).isPresent();
  }

  @Test
  void a_wait_for_another_state_ends_when_the_clock_makes_the_job_due() throws Exception {
    Reply waiting;
    String job;
    do {
      job = submit(",\"delay\":\"PT2S\"");
      waiting = get(job, "");
    } while (!waiting.field("phase").equals("scheduled"));

    Reply due = get(job + "?wait=60s", waiting.header("etag"));

    assertThat(due.field("phase")).isEqualTo("available");
  }

  @Test
  void a_wait_ends_after_its_time_with_what_is_known() {
    String job = submit();
    String known = get(job, "").header("etag");

    assertThat(get(job + "?wait=PT0.7S", known).status()).isEqualTo(304);
    assertThat(get(job + "?wait=1s", "").field("state")).isEqualTo("available");
  }

  @Test
  void what_is_no_news_any_more_is_answered_at_once() {
    String job = submit();
    String old = get(job, "").header("etag");
    api.post(job + "/cancel");
    String ended = get(job, "").header("etag");

    assertThat(get(job + "?wait=60s", old).status()).isEqualTo(200);
    assertThat(get(job + "?wait=60s", "").status()).isEqualTo(200);
    assertThat(get(job + "?wait=60s", ended).status()).isEqualTo(304);
    assertThat(get("/v1/jobs/" + UUID.randomUUID() + "?wait=60s", "").status()).isEqualTo(404);
  }

  @Test
  void waits_hold_no_connection_however_many_they_are() throws Exception {
    String job = submit();
    List<CompletableFuture<Reply>> answers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      answers.add(asking(job + "?wait=60s", ""));
    }
    awaitMarks(api);

    submit();
    api.post(job + "/cancel");

    for (CompletableFuture<Reply> answer : answers) {
      assertThat(answer(answer).field("state")).isEqualTo("cancelled");
    }
  }

  private static final String READS =
      """
      select coalesce(sum(s.calls), 0)
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and s.query like '%from ebb.new_job%'
      """;

  @Test
  void a_change_is_read_once_for_all_that_wait_for_its_job() throws Exception {
    long waiting = 40;
    api.execute("create extension pg_stat_statements");
    String job = submit();
    List<CompletableFuture<Reply>> answers = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      answers.add(asking(job + "?wait=60s", ""));
    }
    Await.until("all wait", () -> api.number(READS) >= 2 * waiting);

    for (int change = 1; change <= 3; change++) {
      long before = api.number(READS);
      api.execute("update ebb.job set version = version + 1");
      Await.until("the change is seen", () -> api.number(READS) > before);
    }
    api.post(job + "/cancel");
    for (CompletableFuture<Reply> answer : answers) {
      assertThat(answer(answer).field("state")).isEqualTo("cancelled");
    }

    assertThat(api.number(READS)).isLessThan(2 * waiting + waiting);
  }

  @Test
  void a_wait_ends_when_the_server_stops() throws Exception {
    CompletableFuture<Reply> answer = waiting(submit() + "?wait=60s", "");

    api.closeApi();

    assertThat(answer(answer).status()).isEqualTo(200);
  }

  @Test
  void a_wait_is_a_duration_of_at_most_a_minute() {
    String job = submit();

    for (String wait : new String[] {"61s", "x", "5", "-1s", "PT61S"}) {
      Reply reply = get(job + "?wait=" + wait, "");
      assertThat(reply.status()).as(wait).isEqualTo(400);
      assertThat(reply.firstPointer()).isEqualTo("wait");
    }
    assertThat(get(job + "?wait=0s", "").status()).isEqualTo(200);
  }
}
