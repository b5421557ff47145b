package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.TestPostgres;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The trace of a submit, which its jobs keep and its deliveries carry on. */
class TraceContextTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
  private static final String STORED =
      "select payload from ebb.job order by created_at desc, id desc limit 1";

  private static final String KEPT =
      "select coalesce(traceparent, 'none') from ebb.job order by created_at desc, id desc limit 1";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start(TestPostgres.shared().newDatabase());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply post(String path, String body, String... headers) {
    HttpRequest.Builder request = api.request(path).header("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return api.send(request.POST(BodyPublishers.ofString(body)));
  }

  private static String delivery(String payload) {
    return "{\"kind\":\"http\",\"payload\":" + payload + "}";
  }

  private static String stored(String payload, String... headers) {
    Reply reply = post("/v1/jobs", delivery(payload), headers);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return api.text(STORED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"url":"U"} | {"headers":{%s},"url":"U"}
          { "url":"U", "headers" : {} } | { "url":"U", "headers" : {%s} }
          {"url":"U","headers":null} | {"url":"U","headers":{%s}}
          {"headers":{ "x":"1"},"url":"U"} | {"headers":{%s, "x":"1"},"url":"U"}
          {"url":"U","body":{"headers":{}}} | {"headers":{%s},"url":"U","body":{"headers":{}}}
          """)
  void a_delivery_gets_the_trace_and_keeps_every_other_byte(String sent, String expected) {
    String url = "https://a.example/";
    String header = "\"traceparent\":\"" + TRACE + "\"";

    assertThat(stored(sent.replace("U", url), "traceparent", TRACE))
        .isEqualTo(expected.replace("%s", header).replace("U", url));
  }

  @Test
  void a_trace_that_the_payload_names_stays() {
    String own = "{\"url\":\"https://a.example/\",\"headers\":{\"TraceParent\":\"" + OTHER + "\"}}";

    assertThat(stored(own, "traceparent", TRACE)).isEqualTo(own);
    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "x\",\"evil\":\"1"
      })
  void a_trace_that_breaks_the_rules_is_ignored(String broken) {
    String payload = "{\"url\":\"https://a.example/\"}";

    assertThat(stored(payload, "traceparent", broken)).isEqualTo(payload);
    assertThat(api.text(KEPT)).isEqualTo("none");
  }

  @Test
  void a_trace_of_a_later_version_is_kept_as_version_00_writes_it() {
    String stored =
        stored(
            "{\"url\":\"https://a.example/\"}",
            "traceparent",
            TRACE.replace("00-4", "cc-4") + "-x");

    assertThat(stored).contains(TRACE);
    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @Test
  void of_two_traces_none_is_kept() {
    stored("{\"url\":\"https://a.example/\"}", "traceparent", TRACE, "traceparent", OTHER);

    assertThat(api.text(KEPT)).isEqualTo("none");
  }

  @Test
  void where_there_is_no_room_for_it_the_job_is_stored_without() {
    String headers =
        IntStream.range(0, 20)
            .mapToObj(i -> "\"x-%s\":\"1\"".formatted(i))
            .collect(Collectors.joining(","));
    String full = "{\"url\":\"https://a.example/\",\"headers\":{" + headers + "}}";
    String frame = "{\"url\":\"https://a.example/\",\"body\":\"\"}";
    String large = frame.replace("\"\"", "\"" + "x".repeat(65_500 - frame.length()) + "\"");

    assertThat(stored(full, "traceparent", TRACE)).isEqualTo(full);
    assertThat(stored(large, "traceparent", TRACE)).isEqualTo(large);
    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @Test
  void jobs_of_other_kinds_keep_it_and_their_payloads_stay_as_they_are() {
    post("/v1/jobs", "{\"kind\":\"report\",\"payload\":{\"url\":1}}", "traceparent", TRACE);

    assertThat(api.text(STORED)).isEqualTo("{\"url\":1}");
    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @Test
  void a_clone_belongs_to_no_trace() {
    Reply job = post("/v1/jobs", "{\"kind\":\"report\",\"payload\":{}}", "traceparent", TRACE);

    Reply clone = api.post("/v1/jobs/" + job.field("id") + "/clone");

    assertThat(clone.status()).as(clone.body()).isEqualTo(201);
    assertThat(api.text(KEPT)).isEqualTo("none");
  }

  @Test
  void who_leases_a_job_is_told_of_the_trace_if_there_is_one() {
    String job = "{\"kind\":\"paid\",\"queue\":\"leased\",\"payload\":{}}";
    post("/v1/jobs", job);
    post("/v1/jobs", job, "traceparent", TRACE);

    JsonNode lease =
        api.post("/v1/leases", LeasesTest.poll("worker", "leased", 2, "PT5S", "")).json();

    assertThat(lease.at("/jobs/0").has("traceparent")).isFalse();
    assertThat(lease.at("/jobs/1/traceparent").asString()).isEqualTo(TRACE);
  }

  @Test
  void a_repetition_in_another_span_is_answered_as_the_first_was() {
    String body = delivery("{\"url\":\"https://a.example/\"}");

    Reply first = post("/v1/jobs", body, "Idempotency-Key", "span", "traceparent", TRACE);
    Reply again = post("/v1/jobs", body, "Idempotency-Key", "span", "traceparent", OTHER);

    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(api.text(STORED)).contains(TRACE);
  }

  @Test
  void each_delivery_of_a_batch_gets_it() {
    String job = delivery("{\"url\":\"https://a.example/batch\"}");

    Reply reply =
        post("/v1/jobs/batch", "{\"jobs\":[" + job + "," + job + "]}", "traceparent", TRACE);

    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(
            api.number(
                "select count(*) from ebb.job where payload like '%batch%' and payload like '%"
                    + TRACE
                    + "%' and traceparent = '"
                    + TRACE
                    + "'"))
        .isEqualTo(2);
  }
}
