package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.JobQueue;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.settle.FinishedAttempt;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What follows jobs, as senders name it and people see it. */
class FollowUpsTest {
  private static final DatabaseConfig DATABASE = TestPostgres.shared().newDatabase();
  private static final String QUESTION =
      """
      {"kind": "ask", "payload": {}, "then": %s}
      """;

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start(DATABASE);
    api.execute("truncate ebb.dead_letter, ebb.job, ebb.lease, ebb.queue cascade");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Reply submit(String then) {
    return api.post("/v1/jobs", QUESTION.formatted(then));
  }

  private void settle(Settlement settlement) throws SQLException {
    JobQueue jobs = new JobQueue(api.database());
    ClaimRequest one =
        ClaimRequest.of("default", "node", List.of("ask"), 1, Duration.ofSeconds(15));
    ClaimedJob claimed = jobs.claim(one).orElseThrow().jobs().getFirst();
    FinishedAttempt finished =
        new FinishedAttempt(
            claimed,
            Outcome.completed(),
            settlement,
            "node",
            System.nanoTime(),
            Duration.ZERO,
            "{\"result\":{\"status\":\"PAID\"}}");
    assertThat(jobs.settle(List.of(finished), List.of(claimed.fencingToken()))).isEmpty();
  }

  @Test
  void both_jobs_tell_of_each_other() throws SQLException {
    Reply first =
        submit(
            """
            {"completed": {"kind": "note", "queue": "notes", "delay": "PT1H", "priority": 2,
              "payload": {"order": "9981"}, "resultPointer": "/asked", "labels": {"order": "9981"}}}
            """);
    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(first.json().path("then").toString())
        .isEqualTo("{\"completed\":{\"kind\":\"note\",\"queue\":\"notes\"}}");
    String id = first.field("id");

    settle(new Settlement.Complete());

    JsonNode ended = api.get("/v1/jobs/" + id).json();
    String next = ended.at("/then/completed/job").asString();
    JsonNode following = api.get("/v1/jobs/" + next).json();
    assertThat(following.path("follows").asString()).isEqualTo(id);
    assertThat(following.path("then").isMissingNode()).isTrue();
    assertThat(following.path("phase").asString()).isEqualTo("scheduled");
    assertThat(following.path("priority").asInt()).isEqualTo(2);
    assertThat(following.at("/labels/order").asString()).isEqualTo("9981");
    assertThat(following.at("/payload/asked").toString())
        .isEqualTo(
            "{\"job\":\"%s\",\"state\":\"completed\",\"result\":{\"status\":\"PAID\"}}"
                .formatted(id));
  }

  @Test
  void one_whose_destination_was_deleted_meanwhile_waits_for_it_in_its_queue() throws SQLException {
    api.put("/v1/destinations/gone", "{\"url\":\"https://gone.example/\"}");
    String id =
        submit(
                """
                {"completed": {"kind": "http", "destination": "gone", "payload": {"body": 1}}}
                """)
            .field("id");
    Reply deleted = api.send(api.request("/v1/destinations/gone").header("If-Match", "*").DELETE());
    assertThat(deleted.status()).as(deleted.body()).isEqualTo(204);

    settle(new Settlement.Complete());

    JsonNode ended = api.get("/v1/jobs/" + id).json();
    assertThat(ended.path("state").asString()).isEqualTo("completed");
    String next = ended.at("/then/completed/job").asString();
    JsonNode waiting = api.get("/v1/jobs/" + next).json();
    assertThat(waiting.path("queue").asString()).isEqualTo("gone");
    assertThat(waiting.path("state").asString()).isEqualTo("available");
    assertThat(api.get("/v1/destinations/gone").status()).isEqualTo(404);
  }

  @Test
  void a_batch_may_name_them_and_a_clone_has_none() {
    String job = QUESTION.formatted("{\"deadLetter\": {\"kind\": \"cancel\", \"payload\": 1}}");
    Reply batch = api.post("/v1/jobs/batch", "{\"jobs\": [" + job + "]}");
    String id = batch.json().at("/items/0/id").asString();

    Reply clone = api.post("/v1/jobs/" + id + "/clone", "{}");

    assertThat(api.get("/v1/jobs/" + id).json().at("/then/deadLetter/kind").asString())
        .isEqualTo("cancel");
    assertThat(clone.status()).as(clone.body()).isEqualTo(201);
    assertThat(clone.json().path("then").isMissingNode()).isTrue();
  }

  @Test
  void a_change_of_the_job_leaves_them_as_they_are() {
    String id = submit("{\"deadLetter\": {\"kind\": \"cancel\", \"payload\": 1}}").field("id");

    Reply patched =
        api.send(
            api.request("/v1/jobs/" + id)
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", "*")
                .method("PATCH", BodyPublishers.ofString("{\"priority\": 1}")));

    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    assertThat(patched.json().at("/then/deadLetter/kind").asString()).isEqualTo("cancel");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                          | /then
          {"cancelled":{"kind":"a","payload":1}}                                      | /then/cancelled
          {"completed":{"payload":1}}                                                 | /then/completed/kind
          {"completed":{"kind":"a"}}                                                  | /then/completed/payload
          {"completed":{"kind":"a","payload":1,"queue":"A"}}                          | /then/completed/queue
          {"completed":{"kind":"a","payload":1,"runAt":"2030-01-01T00:00:00Z"}}       | /then/completed/runAt
          {"completed":{"kind":"a","payload":1,"then":{}}}                            | /then/completed/then
          {"completed":{"kind":"a","payload":1,"policy":"nobody"}}                    | /then/completed/policy
          {"completed":{"kind":"a","payload":1,"resultPointer":"asked"}}              | /then/completed/resultPointer
          {"completed":{"kind":"a","payload":1,"resultPointer":"/asked"}}             | /then/completed/resultPointer
          {"completed":{"kind":"a","payload":{},"resultPointer":"/a/b"}}              | /then/completed/resultPointer
          {"completed":{"kind":"http","payload":{"url":"ftp://a/"}}}                  | /then/completed/payload/url
          {"completed":{"kind":"http","payload":{},"destination":"nobody"}}           | /then/completed/payload/url
          {"deadLetter":{"kind":"http","payload":{"body":1},"queue":"nobody"}}        | /then/deadLetter/payload/url
          """)
  void one_that_breaks_a_rule_is_refused_at_its_place(String then, String pointer) {
    Reply refused = submit(then);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
  }

  @Test
  void one_that_is_too_large_for_the_answer_that_it_will_get_is_refused() {
    String large = "{\"a\":\"" + "x".repeat(32 * 1024) + "\"}";
    String then = "{\"completed\":{\"kind\":\"a\",\"payload\":" + large + "%s}}";

    assertThat(submit(then.formatted("")).status()).isEqualTo(201);
    assertThat(
            submit(then.formatted(",\"resultPointer\":\"/b\""))
                .json()
                .at("/errors/0/pointer")
                .asString())
        .isEqualTo("/then/completed/payload");
  }
}
