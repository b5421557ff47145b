package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.TestPostgres;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The trace of a submit, which its jobs keep. */
class SubmitTraceTest {
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
  @ValueSource(
      strings = {
        "{ \"url\":\"https://a.example/\" }",
        "{\"url\":\"https://a.example/\",\"headers\":{\"TraceParent\":\"mine\"}}"
      })
  void a_job_keeps_it_and_its_payload_is_what_was_sent(String payload) {
    assertThat(stored(payload, "traceparent", TRACE)).isEqualTo(payload);
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
    stored("{\"url\":\"https://a.example/\"}", "traceparent", TRACE.replace("00-4", "cc-4") + "-x");

    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @Test
  void of_two_traces_none_is_kept() {
    stored("{\"url\":\"https://a.example/\"}", "traceparent", TRACE, "traceparent", OTHER);

    assertThat(api.text(KEPT)).isEqualTo("none");
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
    assertThat(api.text(KEPT)).isEqualTo(TRACE);
  }

  @Test
  void each_job_of_a_batch_keeps_it() {
    String job = delivery("{\"url\":\"https://a.example/batch\"}");

    Reply reply =
        post("/v1/jobs/batch", "{\"jobs\":[" + job + "," + job + "]}", "traceparent", TRACE);

    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(
            api.number(
                "select count(*) from ebb.job where payload like '%batch%' and traceparent = '"
                    + TRACE
                    + "'"))
        .isEqualTo(2);
  }
}
