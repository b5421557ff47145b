package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.JobQueue;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Batches of which each job stands for itself. */
class PartialBatchTest {
  private static final String GOOD = "{\"kind\":\"report\",\"payload\":1}";
  private static final String KEYED =
      "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"k\",\"onDuplicate\":\"reject\"}";

  private ApiServer api;
  private Schemas schemas;

  /** What a 200 may hold, of whichever batch. */
  private JsonNode answer;

  @BeforeEach
  void start() {
    api = ApiServer.start();
    JsonNode contract = api.get("/v1/openapi.json").json();
    schemas = new Schemas(contract);
    answer = schemas.answer(contract.path("paths").path("/v1/jobs/batch").path("post"), 200);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Reply submit(String... jobs) {
    return api.post("/v1/jobs/batch", batch(jobs));
  }

  private static String batch(String... jobs) {
    return "{\"atomic\":false,\"jobs\":[" + String.join(",", jobs) + "]}";
  }

  private JsonNode items(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(schemas.violations(schemas.named("PartialBatchResult"), reply.json()))
        .as(reply.body())
        .isEmpty();
    assertThat(schemas.violations(answer, reply.json())).as(reply.body()).isEmpty();
    return reply.json().path("items");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"report\"}",
        "7",
        "null",
        "{\"kind\":\"report\",\"payload\":1,\"priority\":10}",
        "{\"kind\":\"report\",\"payload\":1,\"policy\":\"unknown\"}",
        "{\"kind\":\"report\",\"payload\":1,\"policy\":{\"base\":\"PT1S\"}}",
        "{\"kind\":\"report\",\"payload\":1,\"nonsense\":1,\"kinds\":1}",
        "{\"kind\":\"report\",\"payload\":1,\"onDuplicate\":\"reject\"}",
        "{\"kind\":\"http\",\"payload\":{\"url\":\"x\"}}"
      })
  void a_bad_job_gets_the_problem_that_it_would_get_alone_and_the_others_are_stored(String bad) {
    JsonNode alone = api.post("/v1/jobs", bad).json();

    JsonNode items = items(submit(GOOD, bad, GOOD));

    assertThat(items.size()).isEqualTo(3);
    assertThat(relative(items.path(1).path("problem"), "/jobs/1")).isEqualTo(relative(alone, ""));
    for (int place : new int[] {0, 2}) {
      String id = items.path(place).path("id").asString();
      assertThat(api.get("/v1/jobs/" + id).status()).isEqualTo(200);
    }
    assertThat(api.stored()).isEqualTo(2);
  }

  /**
   * The problem as if its pointers and sentences began at the job, and it were all that was sent.
   */
  private static JsonNode relative(JsonNode problem, String place) {
    ObjectNode relative = ((ObjectNode) problem).deepCopy();
    relative.remove("instance");
    relative.put(
        "detail",
        relative
            .path("detail")
            .asString()
            .replace(place, "")
            .replace("This job was not stored.", "Nothing was stored."));
    relative
        .path("errors")
        .forEach(error -> {
          String pointer = error.path("pointer").asString();
          assertThat(pointer).startsWith(place);
          ((ObjectNode) error).put("pointer", pointer.substring(place.length()));
        });
    relative.put("detail", relative.path("detail").asString().replace("The body ", " "));
    return relative;
  }

  @Test
  void of_a_batch_without_a_good_job_nothing_is_stored_and_each_is_told_why() {
    JsonNode items = items(submit("{}", "1", "{\"kind\":\"report\"}"));

    assertThat(items.findValues("problem")).hasSize(3);
    assertThat(items.findValuesAsString("status")).containsOnly("400");
    assertThat(api.stored()).isZero();
  }

  @Test
  void each_of_a_thousand_bad_jobs_is_told_why() {
    String[] jobs = "1 ".repeat(1000).strip().split(" ", -1);

    assertThat(items(submit(jobs)).findValues("problem")).hasSize(1000);
  }

  @Test
  void a_duplicate_that_is_to_be_rejected_is_refused_alone_and_led_to_its_holder() {
    String holder = api.post("/v1/jobs", KEYED).header("location");
    JsonNode alone = api.post("/v1/jobs", KEYED).json();

    JsonNode items = items(submit(GOOD, KEYED, GOOD));

    JsonNode problem = items.path(1).path("problem");
    assertThat(problem.path("status").asInt()).isEqualTo(409);
    assertThat(problem.path("existing").asString()).isEqualTo(holder);
    assertThat(problem.path("detail").asString())
        .isEqualTo(
            "/jobs/1/uniqueKey is that of a job that has not ended and has the same kind. This job"
                + " was not stored.");
    assertThat(relative(problem, "/jobs/1")).isEqualTo(relative(alone, ""));
    assertThat(api.stored()).isEqualTo(3);
  }

  @Test
  void of_two_with_one_key_the_first_is_stored_and_the_other_is_answered_as_it_asks() {
    String returned = KEYED.replace("reject", "return");

    JsonNode items = items(submit(KEYED, returned, KEYED));

    String first = items.path(0).path("id").asString();
    assertThat(items.path(0).path("deduplicated").asBoolean()).isFalse();
    assertThat(items.path(1).path("id").asString()).isEqualTo(first);
    assertThat(items.path(1).path("deduplicated").asBoolean()).isTrue();
    assertThat(items.path(2).path("problem").path("existing").asString())
        .isEqualTo("/v1/jobs/" + first);
    assertThat(api.stored()).isOne();
  }

  @Test
  void jobs_with_keys_may_be_sent_again_and_are_answered_with_the_same_ids() {
    String job = KEYED.replace("reject", "return");

    JsonNode first = items(submit(job, "1"));
    JsonNode again = items(submit(job, "1"));

    assertThat(again.path(0).path("id")).isEqualTo(first.path(0).path("id"));
    assertThat(again.path(1)).isEqualTo(first.path(1));
    assertThat(api.stored()).isOne();
  }

  @Test
  void a_job_without_room_in_its_queue_is_refused_alone() throws Exception {
    api.put("/v1/queues/full", "{\"paused\":false,\"maxDepth\":3}");
    String full = "{\"kind\":\"a\",\"payload\":1,\"queue\":\"full\"}";
    Await.until("full is full", () -> api.post("/v1/jobs", full).status() == 429);
    JsonNode alone = api.post("/v1/jobs", full).json();
    long before = api.stored();

    JsonNode items = items(submit(GOOD, full, GOOD));

    assertThat(relative(items.path(1).path("problem"), "/jobs/1")).isEqualTo(relative(alone, ""));
    assertThat(items.path(1).path("problem").path("code").asString()).isEqualTo("queue_full");
    assertThat(items.path(1).path("problem").path("detail").asString())
        .isEqualTo("The queue full has reached its maxDepth of 3. This job was not stored.");
    assertThat(alone.path("detail").asString()).endsWith("Nothing was stored.");
    assertThat(api.stored()).isEqualTo(before + 2);
  }

  @Test
  void a_queue_takes_as_many_as_it_has_room_for_and_refuses_the_rest() throws Exception {
    api.put("/v1/queues/narrow", "{\"paused\":false,\"maxDepth\":2}");
    String narrow = "{\"kind\":\"a\",\"payload\":1,\"queue\":\"narrow\"}";
    Await.until("narrow is full", () -> api.post("/v1/jobs", narrow).status() == 429);
    api.execute("delete from ebb.job where queue = 'narrow'");
    // What was written by hand has left no tally.
    api.execute("select ebb.recount_queues()");
    Await.until("there is room", () -> api.post("/v1/jobs", narrow).status() == 201);

    JsonNode items = items(submit(narrow, narrow));

    assertThat(items.path(0).has("id")).isTrue();
    assertThat(items.path(1).path("problem").path("status").asInt()).isEqualTo(429);
  }

  @Test
  void a_key_that_an_open_transaction_holds_keeps_the_whole_batch_out() throws Exception {
    try (Connection open = api.connect()) {
      open.setAutoCommit(false);
      var _ = JobQueue.submit(open, List.of(NewJob.builder("report", "{}").uniqueKey("k").build()));

      Reply refused = submit(GOOD, KEYED);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.field("code")).isEqualTo("unique_key_held");
      assertThat(api.stored()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"atomic\":false,\"jobs\":[]} | /jobs",
        "{\"atomic\":false,\"jobs\":1} | /jobs",
        "{\"atomic\":false} | /jobs",
        "{\"atomic\":false,\"jobs\":[1],\"atomc\":1} | /atomc",
        "{\"atomic\":\"false\",\"jobs\":[1]} | /atomic",
        "{\"atomic\":null,\"jobs\":[1]} | /jobs/0",
      })
  void what_is_no_batch_is_refused_as_a_whole(String body, String pointer) {
    Reply reply = api.post("/v1/jobs/batch", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
  }

  @Test
  void a_batch_that_says_it_is_atomic_is() {
    Reply whole =
        api.post(
            "/v1/jobs/batch", batch(GOOD, GOOD).replace("\"atomic\":false", "\"atomic\":true"));
    Reply refused =
        api.post("/v1/jobs/batch", batch(GOOD, "1").replace("\"atomic\":false", "\"atomic\":true"));

    assertThat(whole.status()).as(whole.body()).isEqualTo(201);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(api.stored()).isEqualTo(2);
  }

  @Test
  void an_idempotency_key_is_refused_because_the_answer_could_not_be_repeated() {
    Reply reply =
        api.send(
            api.request("/v1/jobs/batch")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.ofString(batch(GOOD))));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.field("code")).isEqualTo("invalid_parameter");
    assertThat(reply.firstPointer()).isEqualTo("Idempotency-Key");
    assertThat(reply.field("detail")).contains("\"atomic\": false", "uniqueKey");
    assertThat(api.stored()).isZero();
  }

  @Test
  void a_preview_tells_what_would_be_stored_and_what_would_be_refused() {
    Reply mixed = api.post("/v1/jobs/batch/preview", batch(GOOD, "1"));
    Reply good = api.post("/v1/jobs/batch/preview", batch(GOOD));
    Reply bad = api.post("/v1/jobs/batch/preview", batch("1"));

    JsonNode preview = schemas.named("BatchPreview");
    assertThat(schemas.violations(preview, bad.json())).as(bad.body()).isEmpty();
    for (Reply reply : List.of(mixed, good)) {
      assertThat(schemas.violations(preview, reply.json())).as(reply.body()).isEmpty();
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(reply.json().path("items").path(0).path("maxAttempts").asInt()).isEqualTo(16);
    }
    assertThat(mixed.json().path("valid").asBoolean()).isFalse();
    assertThat(mixed.json().path("items").path(1).path("problem").path("status").asInt())
        .isEqualTo(400);
    assertThat(good.json().path("valid").asBoolean()).isTrue();
    assertThat(api.stored()).isZero();
  }

  @Test
  void only_what_was_stored_or_taken_for_a_duplicate_is_counted() {
    items(submit(KEYED, KEYED, KEYED.replace("reject", "return"), "1"));

    assertThat(api.meters().counter("ebb.jobs.submitted", "queue", "default").count()).isEqualTo(1);
    assertThat(api.meters().counter("ebb.jobs.deduplicated").count()).isEqualTo(1);
  }
}
