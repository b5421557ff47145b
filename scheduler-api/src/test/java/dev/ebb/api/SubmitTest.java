package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.submit.Submitted;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SubmitTest {
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
  void a_submitted_job_is_answered_with_its_place_and_every_default() {
    Reply reply = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":{}}");

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.header("location")).isEqualTo("/v1/jobs/" + reply.field("id"));
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(reply.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(reply.header("cache-control")).isEqualTo("no-store");
    assertThat(reply.field("queue")).isEqualTo("default");
    assertThat(reply.field("state")).isEqualTo("available");
    assertThat(reply.json().path("priority").asInt()).isEqualTo(5);
    assertThat(reply.json().path("attempt").asInt()).isZero();
    assertThat(reply.json().path("maxAttempts").asInt()).isEqualTo(16);
    assertThat(reply.field("runAt")).matches("\\d{4}-.*T.*Z");
    assertThat(api.get(reply.header("location")).json().path("id"))
        .isEqualTo(reply.json().path("id"));
  }

  @Test
  void every_field_comes_back_as_it_was_sent() {
    Reply reply =
        api.post(
            "/v1/jobs",
            """
            {"kind":"a.b:c-d","queue":"q_1","payload":1,"runAt":"2031-02-03T04:05:06.123456+08:00",
             "priority":0,"maxAttempts":3,"uniqueKey":"ключ 😀","timeout":"PT1.5S",
             "labels":{"shop.id":"42","x":""},
             "policy":{"jitter":"none","base":"PT1S","cap":"PT8S","maxAttempts":4}}
            """);

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.field("runAt")).isEqualTo("2031-02-02T20:05:06.123456Z");
    assertThat(reply.field("phase")).isEqualTo("scheduled");
    assertThat(reply.field("state")).isEqualTo("available");
    assertThat(reply.json().path("maxAttempts").asInt()).isEqualTo(3);
    assertThat(reply.field("uniqueKey")).isEqualTo("ключ 😀");
    assertThat(reply.field("timeout")).isEqualTo("PT1.5S");
    assertThat(reply.json().path("labels").path("shop.id").asString()).isEqualTo("42");
    assertThat(reply.json().path("policy").path("cap").asString()).isEqualTo("PT8S");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"n\":12345678901234567890.12345678901234567890}",
        "[1.0, 1.00,  1e2 ,1E+2,-0.0,-0, 100000000000000000000000]",
        " { \"b\" : 1 ,\n\t\"a\":2 } ",
        "\"\\u00e9 \\u0061 é \\/ 😀 \\ud83d\\ude00\"",
        "null",
        "true",
        "-12.50",
        "{\"\":{\"a/b~c\":[[],{}]}}"
      })
  void a_payload_is_kept_to_the_byte(String payload) {
    String id =
        api.post("/v1/jobs", "{\"payload\":" + payload + ",\"kind\":\"report\"}").field("id");

    assertThat(payloadText(api.get("/v1/jobs/" + id).body())).isEqualTo(payload.strip());
    assertThat(api.number("select length(payload) from ebb.job where id = '" + id + "'"))
        .isEqualTo(payload.strip().codePointCount(0, payload.strip().length()));
  }

  @Test
  void a_tree_would_not_keep_it() {
    String payload = "[1.0, 1.00,  1e2 ,1E+2,-0.0,-0, 100000000000000000000000]";

    assertThat(JsonMapper.shared().readTree(payload)).asString().isNotEqualTo(payload);
  }

  private static String payloadText(String body) {
    int start = body.indexOf("\"payload\":") + "\"payload\":".length();
    int end = body.indexOf(",\"labels\":");
    return body.substring(start, end);
  }

  @Test
  void a_payload_may_have_64_kib_less_the_rest_of_its_body() {
    String text = "x".repeat(64 * 1024 - 40);

    Reply reply = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":\"" + text + "\"}");

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.json().path("payload").asString()).isEqualTo(text);
  }

  @Test
  void a_duplicate_is_answered_with_the_job_that_holds_the_key() {
    String job = "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"same\"}";
    Reply first = api.post("/v1/jobs", job);
    long stored = api.stored();

    Reply second = api.post("/v1/jobs", job.replace(":1,", ":2,"));

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.json().has("deduplicated")).isFalse();
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.field("id")).isEqualTo(first.field("id"));
    assertThat(second.json().path("payload").asInt()).isEqualTo(1);
    assertThat(second.json().path("deduplicated").asBoolean()).isTrue();
    assertThat(api.stored()).isEqualTo(stored);
  }

  @Test
  void of_many_at_once_with_one_key_exactly_one_is_stored() throws Exception {
    long before = api.stored();
    List<Reply> replies = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> futures = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        futures.add(
            threads.submit(() ->
                api.post(
                    "/v1/jobs",
                    "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"one of many\"}")));
      }
      for (Future<Reply> future : futures) {
        replies.add(future.get());
      }
    }

    assertThat(replies).extracting(Reply::status).containsOnly(200, 201);
    assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
    assertThat(replies)
        .extracting(reply -> reply.field("id"))
        .containsOnly(replies.getFirst().field("id"));
    assertThat(api.stored()).isEqualTo(before + 1);
  }

  @Test
  void a_batch_is_stored_as_a_whole_and_answered_in_its_order() {
    Reply taken =
        api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"taken\"}");
    StringBuilder jobs = new StringBuilder();
    for (int i = 0; i < 999; i++) {
      jobs.append("{\"kind\":\"report\",\"payload\":{\"n\":").append(i).append(".0}},");
    }
    jobs.append("{\"kind\":\"report\",\"payload\":1,\"uniqueKey\":\"taken\"}");
    long before = api.stored();

    Reply reply = api.post("/v1/jobs/batch", "{\"jobs\":[" + jobs + "]}");

    assertThat(reply.status()).isEqualTo(201);
    JsonNode items = reply.json().path("items");
    assertThat(items.size()).isEqualTo(1000);
    assertThat(items.path(999).path("id").asString()).isEqualTo(taken.field("id"));
    assertThat(items.path(999).path("deduplicated").asBoolean()).isTrue();
    String seventh = items.path(7).path("id").asString();
    assertThat(payloadText(api.get("/v1/jobs/" + seventh).body())).isEqualTo("{\"n\":7.0}");
    assertThat(api.stored()).isEqualTo(before + 999);
  }

  @Test
  void one_bad_job_keeps_the_whole_batch_out_and_is_pointed_at() {
    long before = api.stored();
    String good = "{\"kind\":\"report\",\"payload\":1}";

    Reply reply =
        api.post(
            "/v1/jobs/batch",
            "{\"jobs\":["
                + good
                + ","
                + "{\"kind\":\"report\"},"
                + "{\"kind\":\"report\",\"payload\":1,\"policy\":{\"base\":\"PT1S\"}},"
                + "7]}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field("code")).isEqualTo("invalid_input");
    assertThat(reply.json().path("errors").findValuesAsString("pointer"))
        .containsExactly("/jobs/1/payload", "/jobs/2/policy/cap", "/jobs/3");
    assertThat(api.stored()).isEqualTo(before);
  }

  @Test
  void a_batch_may_be_larger_than_one_job_but_its_payloads_may_not() {
    String large = "\"" + "x".repeat(60_000) + "\"";
    String job = "{\"kind\":\"report\",\"payload\":" + large + "}";
    String tooLarge = "{\"kind\":\"report\",\"payload\":\"" + "x".repeat(65_536) + "\"}";

    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":[" + job + "," + job + "]}").status())
        .isEqualTo(201);
    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":[" + tooLarge + "]}").firstPointer())
        .isEqualTo("/jobs/0/payload");
    assertThat(api.post("/v1/jobs/batch", "{\"jobs\":[\"" + "x".repeat(4 << 20) + "\"]}").status())
        .isEqualTo(413);
  }

  @Test
  void a_payload_that_is_no_json_because_java_stored_it_does_not_break_the_answer() {
    String id = api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").field("id");
    api.execute("update ebb.job set payload = '1,\"id\":2' where id = '" + id + "'");

    Reply reply = api.get("/v1/jobs/" + id);

    assertThat(reply.field("id")).isEqualTo(id);
    assertThat(reply.field("payload")).isEqualTo("1,\"id\":2");
  }

  @Test
  void a_key_that_an_open_transaction_holds_is_named_and_the_submit_may_be_repeated()
      throws Exception {
    String job = "{\"kind\":\"report\",\"payload\":{},\"uniqueKey\":\"payment-7\"}";
    try (Connection open = api.connect()) {
      open.setAutoCommit(false);
      NewJob first = NewJob.builder("report", "{}").uniqueKey("payment-7").build();
      Submitted holder = JobQueue.submit(open, List.of(first)).getFirst();

      Reply refused = api.post("/v1/jobs", job);
      Reply batch = api.post("/v1/jobs/batch", "{\"jobs\":[" + job + "]}");
      open.commit();
      Reply repeated = api.post("/v1/jobs", job);

      for (Reply one : List.of(refused, batch)) {
        assertThat(one.status()).isEqualTo(503);
        assertThat(one.field("code")).isEqualTo("unique_key_held");
        assertThat(one.field("detail"))
            .contains("\"payment-7\"", "Nothing was stored", "try again");
        assertThat(one.json().path("retryable").asBoolean()).isTrue();
        assertThat(one.header("retry-after")).isEqualTo("1");
      }
      assertThat(repeated.status()).isEqualTo(200);
      assertThat(repeated.field("id")).isEqualTo(holder.id().toString());
    }
  }
}
