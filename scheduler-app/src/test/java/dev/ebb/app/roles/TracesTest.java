package dev.ebb.app.roles;

import static dev.ebb.app.roles.SpanBench.CALLER;
import static dev.ebb.app.roles.SpanBench.TRACE;
import static dev.ebb.app.roles.SpanBench.links;
import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of jobs that are submitted over REST and run by a worker. */
class TracesTest {
  private final SpanBench bench = new SpanBench();

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  private static void assertLinked(SpanData from, SpanData to) {
    assertThat(from.getParentSpanContext().isValid()).as("a trace of its own").isFalse();
    assertThat(links(from))
        .extracting(SpanContext::getTraceId, SpanContext::getSpanId)
        .containsExactly(tuple(to.getTraceId(), to.getSpanId()));
  }

  private static void assertAttributes(SpanData span, AttributesBuilder expected) {
    assertThat(span.getAttributes().asMap()).isEqualTo(expected.build().asMap());
  }

  private static AttributesBuilder of(String operation, String type) {
    return Attributes.builder()
        .put("messaging.system", "ebb")
        .put("messaging.destination.name", "bookings")
        .put("messaging.operation.name", operation)
        .put("messaging.operation.type", type);
  }

  private static AttributesBuilder ofBatch(String operation, String type) {
    return of(operation, type)
        .put("messaging.batch.message_count", 1)
        .put("messaging.client.id", "node-7");
  }

  @Test
  void a_job_leaves_four_spans_that_are_linked() throws Exception {
    AtomicReference<SpanContext> current = new AtomicReference<>();
    bench.start(
        bench.sdk,
        _ -> {
          current.set(Span.current().getSpanContext());
          return Outcome.completed();
        });

    String id = bench.submit(TRACE);

    SpanData settle = bench.span("settle bookings");
    SpanData submit = bench.span("submit bookings");
    assertThat(submit.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(submit.getTraceId()).isEqualTo(CALLER);
    assertThat(submit.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertAttributes(
        submit,
        of("submit", "send").put("messaging.message.id", id).put("ebb.submit.stored", true));
    SpanData claim = bench.span("claim bookings");
    assertThat(claim.getKind()).isEqualTo(SpanKind.CLIENT);
    assertLinked(claim, submit);
    assertAttributes(claim, ofBatch("claim", "receive"));
    SpanData attempt = bench.span("attempt bookings");
    assertThat(attempt.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertLinked(attempt, submit);
    assertThat(attempt.getSpanContext()).isEqualTo(current.get());
    assertThat(attempt.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertAttributes(
        attempt,
        of("attempt", "process")
            .put("messaging.message.id", id)
            .put("messaging.client.id", "node-7")
            .put("ebb.job.kind", "paid")
            .put("ebb.job.attempt", 1)
            .put("ebb.job.outcome", "completed"));
    assertThat(settle.getKind()).isEqualTo(SpanKind.CLIENT);
    assertLinked(settle, attempt);
    assertAttributes(settle, ofBatch("settle", "settle"));
    assertThat(bench.spans.getFinishedSpanItems()).as("a claim of nothing is none").hasSize(4);
  }

  @Test
  void an_attempt_that_failed_is_an_error_with_its_reason_and_one_that_waits_is_none()
      throws Exception {
    bench.start(
        bench.sdk,
        context -> {
          if (context.job().snoozes() == 0) {
            return new Outcome.NotReady(null);
          }
          throw new IllegalStateException("no ledger");
        });

    bench.submit(TRACE);

    List<SpanData> attempts = bench.spans("attempt bookings", 2);
    assertThat(attempts)
        .extracting(attempt -> attempt.getStatus().getStatusCode())
        .containsExactly(StatusCode.UNSET, StatusCode.ERROR);
    assertThat(attempts)
        .extracting(attempt -> attempt.getAttributes().get(stringKey("ebb.job.outcome")))
        .containsExactly("not_ready", "failed");
    assertThat(attempts)
        .extracting(attempt -> attempt.getAttributes().get(stringKey("error.type")))
        .containsExactly(null, "exception");
    assertThat(attempts.toString()).as("no words of a failure").doesNotContain("no ledger");
  }

  @Test
  void a_batch_is_one_submit_to_which_each_of_its_jobs_links() throws Exception {
    bench.start(bench.sdk, _ -> Outcome.completed());
    String job = "{\"kind\":\"paid\",\"payload\":1,\"queue\":\"%s\"}";

    bench.post(
        "/v1/jobs/batch",
        "{\"jobs\":[" + job.formatted("bookings") + "," + job.formatted("other") + "]}",
        TRACE);

    SpanData submit = bench.span("submit");
    assertThat(submit.getAttributes().get(longKey("messaging.batch.message_count"))).isEqualTo(2);
    assertLinked(bench.span("attempt bookings"), submit);
    assertLinked(bench.span("attempt other"), submit);
  }

  @Test
  void a_trace_that_breaks_the_rules_is_no_parent() throws Exception {
    bench.start(bench.sdk, _ -> Outcome.completed());

    bench.submit(TRACE.replace("00-4", "ff-4"));

    SpanData submit = bench.span("submit bookings");
    assertThat(submit.getParentSpanContext().isValid()).isFalse();
    assertLinked(bench.span("attempt bookings"), submit);
  }

  @Test
  void a_settle_that_the_database_refuses_is_an_error_and_the_next_is_none() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    bench.start(
        bench.sdk,
        _ -> {
          locked.await();
          return Outcome.completed();
        });
    String id = bench.submit(TRACE);

    try (Connection other = TestPostgres.connect(bench.config);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select from ebb.job where id = '" + id + "' for update");
      locked.countDown();
      bench.span("settle bookings");
    }

    assertThat(bench.span("settle bookings").getAttributes().get(stringKey("error.type")))
        .isEqualTo("55P03");
    Await.until(
        "it is settled",
        () ->
            bench.named("settle bookings").getLast().getStatus().getStatusCode()
                == StatusCode.UNSET);
  }

  @Test
  void a_submit_that_stores_nothing_new_says_so() throws Exception {
    bench.start(bench.sdk, _ -> Outcome.completed());
    String job = "{\"kind\":\"other\",\"queue\":\"bookings\",\"payload\":1,\"uniqueKey\":\"u\"}";
    String strict = job.replace("}", ",\"onDuplicate\":\"reject\"}");

    bench.answer("/v1/jobs", job, "Idempotency-Key", "one");
    bench.answer("/v1/jobs", job, "Idempotency-Key", "one");
    bench.answer("/v1/jobs", job);
    bench.answer("/v1/jobs", job.replace("1", "2"), "Idempotency-Key", "one");
    assertThat(bench.answer("/v1/jobs", strict).statusCode()).isEqualTo(409);

    List<SpanData> submits = bench.spans("submit bookings", 5);
    assertThat(submits)
        .extracting(submit -> submit.getAttributes().get(booleanKey("ebb.submit.stored")))
        .containsExactly(true, false, false, null, null);
    assertThat(submits)
        .extracting(submit -> submit.getAttributes().get(stringKey("error.type")))
        .containsExactly(null, null, null, "idempotency_key_reused", "unique_key_taken");
  }

  @Test
  void a_receiver_sees_each_attempt_as_its_parent() throws Exception {
    try (Receiver receiver = new Receiver()) {
      bench.start(bench.sdk, _ -> Outcome.completed());
      String url = "http://" + receiver.host() + "/";
      String payload = "{\"url\":\"" + url + "\",\"success\":{\"statuses\":[\"200\"]}}";

      bench.post(
          "/v1/jobs",
          "{\"kind\":\"http\",\"queue\":\"bookings\",\"maxAttempts\":2,"
              + "\"policy\":{\"jitter\":\"none\",\"base\":\"PT0.1S\",\"cap\":\"PT1S\"},"
              + "\"payload\":"
              + payload
              + "}",
          TRACE);

      List<String> attempts =
          bench.spans("attempt bookings", 2).stream()
              .map(attempt -> attempt.getTraceId() + "-" + attempt.getSpanId())
              .toList();
      assertThat(receiver.calls())
          .extracting(call -> call.trace().substring(3, 52))
          .containsExactlyElementsOf(attempts);
    }
  }
}
