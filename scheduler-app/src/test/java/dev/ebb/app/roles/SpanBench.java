package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.system.ProcessState;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.worker.Handler;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A node whose spans are kept: an API, and a worker that has a handler of kind {@code paid}. */
final class SpanBench implements AutoCloseable {
  static final String CALLER = "4bf92f3577b34da6a3ce929d0e0e4736";
  static final String TRACE = "00-" + CALLER + "-00f067aa0ba902b7-01";

  final InMemorySpanExporter spans = InMemorySpanExporter.create();
  final OpenTelemetrySdk sdk = traced(Sampler.alwaysOn());
  final DatabaseConfig config = TestPostgres.shared().newDatabase();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Database database = opened(TestPostgres.open(config));
  private final HttpClient client = opened(HttpClient.newHttpClient());
  private int port;

  /** One that keeps spans here, of those that the sampler chooses. */
  OpenTelemetrySdk traced(Sampler sampler) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .setSampler(sampler)
                .build())
        .build();
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  @Override
  public void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  /** Starts a node whose parts make their spans there. */
  void start(OpenTelemetry telemetry, Handler handler) {
    ApiConfig local = ApiConfig.of("127.0.0.1", 0).withAccess(AccessConfig.openToAll());
    EbbApi api = opened(EbbApi.start(local, database, ProcessState.of(() -> true), telemetry));
    port = api.port();
    opened(
        Worker.start(
            database,
            WorkerConfig.defaults().withNode("node-7"),
            Map.of("paid", handler, "http", opened(deliveries())),
            new SimpleMeterRegistry(),
            telemetry));
  }

  private static HttpHandler deliveries() {
    return new HttpHandler(HttpHandlerConfig.defaults().withAllow("127.0.0.0/8"));
  }

  String post(String path, String body, String trace) throws Exception {
    var answer = answer(path, body, "traceparent", trace);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return answer.body();
  }

  HttpResponse<String> answer(String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(
        request.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  /** Submits a job that has one attempt, and answers its id. */
  String submit(String trace) throws Exception {
    String job =
        "{\"kind\":\"paid\",\"queue\":\"bookings\",\"payload\":{\"card\":1},\"maxAttempts\":1}";
    return JsonMapper.shared().readTree(post("/v1/jobs", job, trace)).get("id").asString();
  }

  /** Waits for so many spans of this name. */
  List<SpanData> spans(String name, int many) throws Exception {
    Await.until(name, () -> named(name).size() >= many);
    return named(name);
  }

  SpanData span(String name) throws Exception {
    return spans(name, 1).getFirst();
  }

  List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  /** The spans to which it links. */
  static List<SpanContext> links(SpanData span) {
    return span.getLinks().stream().map(LinkData::getSpanContext).toList();
  }

  String text(String sql) throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return String.valueOf(row.getString(1));
    }
  }
}
