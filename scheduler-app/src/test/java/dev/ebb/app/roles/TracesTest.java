package dev.ebb.app.roles;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.system.ProcessState;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.worker.Handler;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The spans of jobs that are submitted over REST and run by a worker. */
class TracesTest {
  private static final String CALLER = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACE = "00-" + CALLER + "-00f067aa0ba902b7-01";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();
  private final DatabaseConfig config = TestPostgres.shared().newDatabase();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Database database = opened(TestPostgres.open(config));
  private final HttpClient client = opened(HttpClient.newHttpClient());
  private int port;

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  @AfterEach
  void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private void start(OpenTelemetry telemetry, Handler handler) {
    ApiConfig local = ApiConfig.of("127.0.0.1", 0).withAccess(AccessConfig.openToAll());
    EbbApi api = opened(EbbApi.start(local, database, ProcessState.of(() -> true), telemetry));
    port = api.port();
    opened(
        Worker.start(
            database,
            WorkerConfig.defaults().withNode("node-7"),
            Map.of("paid", handler),
            new SimpleMeterRegistry(),
            telemetry));
  }

  private String post(String path, String body, String trace) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .header("traceparent", trace)
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = client.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer.body();
  }

  /** Submits a job that has one attempt, and answers its id. */
  private String submit(String trace) throws Exception {
    String job =
        "{\"kind\":\"paid\",\"queue\":\"bookings\",\"payload\":{\"card\":1},\"maxAttempts\":1}";
    return JsonMapper.shared().readTree(post("/v1/jobs", job, trace)).get("id").asString();
  }

  /** Waits for so many spans of this name. */
  private List<SpanData> spans(String name, int many) throws Exception {
    Await.until(name, () -> named(name).size() >= many);
    return named(name);
  }

  private SpanData span(String name) throws Exception {
    return spans(name, 1).getFirst();
  }

  private List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private static List<SpanContext> links(SpanData span) {
    return span.getLinks().stream().map(LinkData::getSpanContext).toList();
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
    start(
        sdk,
        _ -> {
          current.set(Span.current().getSpanContext());
          return Outcome.completed();
        });

    String id = submit(TRACE);

    SpanData settle = span("settle bookings");
    SpanData submit = span("submit bookings");
    assertThat(submit.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(submit.getTraceId()).isEqualTo(CALLER);
    assertThat(submit.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertAttributes(submit, of("submit", "send").put("messaging.message.id", id));
    SpanData claim = span("claim bookings");
    assertThat(claim.getKind()).isEqualTo(SpanKind.CLIENT);
    assertLinked(claim, submit);
    assertAttributes(claim, ofBatch("claim", "receive"));
    SpanData attempt = span("attempt bookings");
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
    assertThat(spans.getFinishedSpanItems()).as("a claim of nothing is none").hasSize(4);
  }

  @Test
  void an_attempt_that_failed_is_an_error_with_its_reason_and_one_that_waits_is_none()
      throws Exception {
    start(
        sdk,
        context -> {
          if (context.job().snoozes() == 0) {
            return new Outcome.NotReady(null);
          }
          throw new IllegalStateException("no ledger");
        });

    submit(TRACE);

    List<SpanData> attempts = spans("attempt bookings", 2);
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
    start(sdk, _ -> Outcome.completed());
    String job = "{\"kind\":\"paid\",\"payload\":1,\"queue\":\"%s\"}";

    post(
        "/v1/jobs/batch",
        "{\"jobs\":[" + job.formatted("bookings") + "," + job.formatted("other") + "]}",
        TRACE);

    SpanData submit = span("submit");
    assertThat(submit.getAttributes().get(longKey("messaging.batch.message_count"))).isEqualTo(2);
    assertLinked(span("attempt bookings"), submit);
    assertLinked(span("attempt other"), submit);
  }

  @Test
  void a_trace_that_breaks_the_rules_is_no_parent() throws Exception {
    start(sdk, _ -> Outcome.completed());

    submit(TRACE.replace("00-", "99-"));

    SpanData submit = span("submit bookings");
    assertThat(submit.getParentSpanContext().isValid()).isFalse();
    assertLinked(span("attempt bookings"), submit);
  }

  @Test
  void a_settle_that_the_database_refuses_is_an_error_and_the_next_is_none() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    start(
        sdk,
        _ -> {
          locked.await();
          return Outcome.completed();
        });
    String id = submit(TRACE);

    try (Connection other = TestPostgres.connect(config);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select from ebb.job where id = '" + id + "' for update");
      locked.countDown();
      span("settle bookings");
    }

    assertThat(span("settle bookings").getAttributes().get(stringKey("error.type")))
        .isEqualTo("55P03");
    Await.until(
        "it is settled",
        () -> named("settle bookings").getLast().getStatus().getStatusCode() == StatusCode.UNSET);
  }

  /** A processor of the application's own that throws, at the begin or at the end. */
  private static OpenTelemetry broken(boolean atBegin) {
    SpanProcessor throwing =
        new SpanProcessor() {
          @Override
          public void onStart(Context parent, ReadWriteSpan span) {
            throw new IllegalStateException("begin");
          }

          @Override
          public boolean isStartRequired() {
            return atBegin;
          }

          @Override
          public void onEnd(ReadableSpan span) {
            throw new IllegalStateException("end");
          }

          @Override
          public boolean isEndRequired() {
            return !atBegin;
          }
        };
    return OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(throwing).build())
        .build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_tracer_that_throws_harms_no_job(boolean atBegin) throws Exception {
    start(broken(atBegin), _ -> Outcome.completed());

    String id = submit(TRACE);

    String ended = "select count(*) from ebb.history where id = '" + id + "'";
    Await.until("it completed", () -> text(ended).equals("1"));
    assertThat(text("select count(*) from ebb.job")).isEqualTo("0");
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return String.valueOf(row.getString(1));
    }
  }

  @Test
  void where_nothing_is_traced_a_job_keeps_the_trace_of_its_request_and_no_span_is_made()
      throws Exception {
    AtomicReference<SpanContext> current = new AtomicReference<>();
    CountDownLatch asked = new CountDownLatch(1);
    start(
        OpenTelemetry.noop(),
        _ -> {
          current.set(Span.current().getSpanContext());
          asked.await();
          return Outcome.completed();
        });

    submit(TRACE);

    Await.until("it runs", () -> current.get() != null);
    assertThat(current.get().isValid()).isFalse();
    assertThat(text("select traceparent from ebb.job")).isEqualTo(TRACE);
    asked.countDown();
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }
}
