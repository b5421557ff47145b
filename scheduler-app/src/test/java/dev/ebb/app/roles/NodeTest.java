package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class NodeTest {
  private static final String ADMIN = "an-admin's-token-of-32-characters";

  private static final List<String> SHOWN =
      List.of(
          "ebb_jobs_submitted_total{queue=\"new\"} 1.0",
          "ebb_job_attempts_seconds_bucket{kind=\"http\",outcome=\"fatal\",queue=\"new\",le=\"60.0\"}"
              + " 1",
          "ebb_job_lateness_seconds_bucket{queue=\"new\",le=\"3600.0\"} 1",
          "ebb_claims_seconds_bucket{le=\"0.001\"}",
          "ebb_queue_dead_letters{queue=\"new\"} 1.0",
          "ebb_queue_oldest_due_seconds{queue=\"new\"} 0.0",
          "ebb_queue_jobs{queue=\"other\"} 0.0",
          "hikaricp_connections_pending{pool=\"api\"}",
          "hikaricp_connections_pending{pool=\"worker\"}",
          "jvm_memory_used_bytes");

  private final Lifetime lifetime = new Lifetime();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    lifetime.close();
    client.close();
  }

  @Test
  void a_worker_shows_its_health_and_metrics_and_nothing_else() throws Exception {
    Settings settings = settings(Map.of());
    Node.startWorker(settings, lifetime);

    assertThat(get(settings, "/livez").statusCode()).isEqualTo(200);
    assertThat(get(settings, "/startupz").body()).isEqualTo("started\n");
    assertThat(get(settings, "/readyz").body()).isEqualTo("ready\n");
    assertThat(get(settings, "/metrics").body()).contains("ebb_jobs_running");
    assertThat(get(settings, "/v1/jobs").statusCode()).isEqualTo(404);
    assertThat(get(settings, "/livez/more").statusCode()).isEqualTo(404);
  }

  @Test
  void a_workers_port_is_not_served_to_a_name_that_was_made_to_lead_there() throws Exception {
    Settings settings = settings(Map.of("EBB_HTTP_NAMES", "probe"));
    Node.startWorker(settings, lifetime);

    for (String path : List.of("/livez", "/startupz", "/readyz", "/metrics", "/other")) {
      assertThat(askFor(settings, "evil.example", path))
          .startsWith("HTTP/1.1 421 ")
          .contains("EBB_HTTP_NAMES")
          .doesNotContain("ebb_jobs");
    }
    for (String host : List.of("localhost", "127.0.0.1:1", "probe")) {
      assertThat(askFor(settings, host, "/livez")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void an_api_that_asks_for_no_token_starts_on_loopback_alone() throws Exception {
    Settings open = settings(Map.of("EBB_HTTP_HOST", "0.0.0.0", "EBB_AUTH", "off"));
    for (ThrowingCallable start :
        List.<ThrowingCallable>of(
            () -> Node.startApi(open, lifetime), () -> Node.startServer(open, lifetime))) {
      CannotStart refused = catchThrowableOfType(CannotStart.class, start);

      assertThat(refused.sentence())
          .contains("EBB_HTTP_HOST=0.0.0.0", "EBB_AUTH=off", "EBB_HTTP_HOST=127.0.0.1")
          .hasLineCount(1);
      assertThat(refused.exitCode()).isEqualTo(2);
    }

    Node.startWorker(open, lifetime);
    assertThat(get(open, "/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void an_api_asks_for_tokens_wherever_it_listens() throws Exception {
    for (String host : List.of("0.0.0.0", "127.0.0.1")) {
      Settings closed = settings(Map.of("EBB_HTTP_HOST", host, "EBB_AUTH", "on"));
      Node.startApi(closed, lifetime);

      assertThat(get(closed, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(closed, "/v1/jobs").statusCode()).isEqualTo(401);
      assertThat(get(closed, "/metrics").statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({"on,./ebb token create", "off,anybody who reaches the API"})
  void an_api_that_serves_everybody_or_nobody_says_so_in_the_log(String auth, String words)
      throws Exception {
    List<ILoggingEvent> log =
        logged(Node.class, () -> Node.startApi(settings(Map.of("EBB_AUTH", auth)), lifetime));

    assertThat(log)
        .filteredOn(event -> event.getLevel() == Level.WARN)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .contains(words);
  }

  @FunctionalInterface
  private interface Start {
    void run() throws InterruptedException;
  }

  /** What that class logs in this thread meanwhile, down to what it says at the level of debug. */
  private static List<ILoggingEvent> logged(Class<?> type, Start meanwhile)
      throws InterruptedException {
    Logger logger = (Logger) LoggerFactory.getLogger(type);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    // A registry warns once in a process, and then says it at that level.
    logger.setLevel(Level.DEBUG);
    try {
      meanwhile.run();
    } finally {
      logger.setLevel(null);
      logger.detachAppender(log);
    }
    return log.list.stream()
        .filter(event -> event.getThreadName().equals(Thread.currentThread().getName()))
        .toList();
  }

  /** The second of a name would not be shown, and a node would begin with a warning. */
  @Test
  void the_parts_of_a_server_register_no_metric_twice() throws Exception {
    List<ILoggingEvent> log =
        logged(
            MeterRegistry.class,
            () -> Node.startServer(settings(Map.of("EBB_AUTH", "off")), lifetime));

    assertThat(log).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
  }

  @Test
  void a_health_port_of_its_own_is_that_of_an_api_and_of_a_worker() throws Exception {
    Settings settings = withHealthPort();
    Node.startApi(settings, lifetime);

    assertThat(statusOfHealth(settings)).isEqualTo(200);
    assertThat(get(settings, "/livez").statusCode()).isEqualTo(404);
    assertThat(get(settings, "/v1/jobs").statusCode()).isEqualTo(200);

    Settings worker = withHealthPort();
    Node.startWorker(worker, lifetime);
    assertThat(statusOfHealth(worker)).isEqualTo(200);
  }

  private static Settings withHealthPort() {
    return settings(Map.of("EBB_HEALTH_PORT", Integer.toString(TestPostgres.freePort())));
  }

  private int statusOfHealth(Settings settings) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + settings.healthPort().orElseThrow() + "/livez");
    return client
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void a_server_shows_the_metrics_of_api_and_worker() throws Exception {
    Settings settings = settings(Map.of());
    Node.startServer(settings, lifetime);

    assertThat(get(settings, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(settings, "/metrics").body())
        .contains("ebb_jobs_running")
        .contains("ebb_http_requests");
  }

  @Test
  void every_metric_says_what_it_is_and_queues_without_settings_are_counted_by_their_names()
      throws Exception {
    Settings settings = settings(Map.of());
    Node.startServer(settings, lifetime);
    post(
        settings,
        "/v1/jobs",
        "{\"kind\":\"http\",\"queue\":\"new\",\"payload\":{\"url\":\"http://127.0.0.1:1/\"}}");

    String metrics = "";
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!SHOWN.stream().allMatch(metrics::contains)) {
      assertThat(System.nanoTime()).as(metrics).isLessThan(deadline);
      metrics = get(settings, "/metrics").body();
    }

    assertThat(metrics.lines().filter(line -> line.startsWith("# HELP ")))
        .hasSameSizeAs(metrics.lines().filter(line -> line.startsWith("# TYPE ")).toList())
        .allMatch(line -> line.strip().split(" ", 4).length == 4);
    assertThat(metrics).doesNotContain("ebb_claims_seconds{quantile");
  }

  @Test
  void an_api_runs_no_jobs() throws Exception {
    Settings settings = settings(Map.of());
    Node.startApi(settings, lifetime);

    assertThat(get(settings, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(settings, "/metrics").body()).doesNotContain("ebb_jobs_running");
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!get(settings, "/v1/nodes").body().contains("\"role\":\"api\"")) {
      assertThat(System.nanoTime()).as("it is listed").isLessThan(deadline);
    }
  }

  @Test
  void probes_and_metrics_of_a_closed_api_need_no_token_on_their_own_port_alone() throws Exception {
    int health = TestPostgres.freePort();
    Settings settings =
        settings(Map.of("EBB_AUTH", "on", "EBB_HEALTH_PORT", Integer.toString(health)));
    Node.startApi(settings, lifetime);

    for (String path : List.of("/livez", "/startupz", "/readyz", "/metrics")) {
      assertThat(get(health, path, null).statusCode()).as(path).isEqualTo(200);
      assertThat(get(settings, path).statusCode()).as(path).isIn(401, 404);
    }
    assertThat(get(health, "/v1/jobs", null).statusCode()).isEqualTo(404);
    assertThat(get(health, "/v1/nothing", null).statusCode()).isEqualTo(404);
    assertThat(get(settings, "/v1/jobs").statusCode()).isEqualTo(401);
  }

  @Test
  void payloads_are_masked_by_the_setting_wherever_they_are_shown() throws Exception {
    DatabaseConfig database = TestPostgres.shared().newDatabase();
    Settings settings =
        settings(
            Map.of("EBB_AUTH", "on", "EBB_ADMIN_TOKEN", ADMIN, "EBB_PAYLOAD_MASK", "/card/*"),
            database);
    Node.startApi(settings, lifetime);
    String path =
        post(settings, "/v1/jobs", "{\"kind\":\"a\",\"payload\":{\"card\":{\"n\":4111},\"o\":5}}")
            .headers()
            .firstValue("location")
            .orElseThrow();
    addAttempt(database);
    String made = post(settings, "/v1/tokens", "{\"name\":\"v\",\"role\":\"viewer\"}").body();
    String viewer = made.replaceFirst("(?s).*\"token\":\"([^\"]+)\".*", "$1");

    assertThat(get(settings.httpPort(), path, viewer).body())
        .contains("\"o\":5")
        .doesNotContain("4111");
    assertThat(get(settings.httpPort(), path + "/attempts", viewer).body())
        .contains("\"status\":500")
        .doesNotContain("4111");
    assertThat(get(settings.httpPort(), "/v1/jobs", viewer).body()).doesNotContain("4111");
    assertThat(get(settings.httpPort(), path, ADMIN).body()).contains("4111");
    assertThat(get(settings.httpPort(), path + "/attempts", ADMIN).body()).contains("4111");
  }

  private static void addAttempt(DatabaseConfig database) throws Exception {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into ebb.attempt (
            job_id, started_at, ended_at, number, outcome, failure_reason, failure, node, detail)
          select id, now(), now(), 1, 'failed', 'r', 'no', 'node',
            '{"request":{"body":"4111"},"response":{"status":500,"body":"4111"}}'
          from ebb.job
          """);
    }
  }

  private HttpResponse<String> post(Settings settings, String path, String json) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + settings.httpPort() + path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + ADMIN)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(int port, String path, @Nullable String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void a_missing_schema_is_told_and_made_only_when_that_is_wished() throws Exception {
    DatabaseConfig empty = TestPostgres.shared().newBareDatabase();
    Settings settings = settings(Map.of(), empty);

    CannotStart refused =
        catchThrowableOfType(CannotStart.class, () -> Node.startApi(settings, lifetime));
    assertThat(refused.sentence()).contains("run ./ebb migrate").hasLineCount(1);

    Node.startApi(settings(Map.of("EBB_MIGRATE", "true"), empty), lifetime);
    assertThat(Schema.migrate(empty)).isZero();
  }

  @Test
  void a_node_starts_on_a_schema_that_is_newer_than_it() throws Exception {
    Settings settings = settings(Map.of());
    try (Connection connection = TestPostgres.connect(settings.database());
        Statement statement = connection.createStatement()) {
      statement.execute("update ebb.flyway_schema_history set version = '99' where version = '1'");
    }

    Node.startWorker(settings, lifetime);

    assertThat(get(settings, "/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void an_old_schema_is_told_with_both_versions() throws Exception {
    Settings settings = settings(Map.of());
    try (Connection connection = TestPostgres.connect(settings.database());
        Statement statement = connection.createStatement()) {
      statement.execute("delete from ebb.flyway_schema_history where version::integer > 1");
    }

    CannotStart refused =
        catchThrowableOfType(CannotStart.class, () -> Node.startApi(settings, lifetime));

    assertThat(refused.sentence())
        .contains("version 1", "needs " + Migrations.NEEDED, "run ./ebb migrate");
  }

  @Test
  void nothing_is_migrated_through_a_pooling_proxy() throws Exception {
    DatabaseConfig pooled = TestPostgres.shared().newBareDatabase().behindPooler();
    Settings settings = settings(Map.of("EBB_MIGRATE", "true"), pooled);

    CannotStart refused =
        catchThrowableOfType(CannotStart.class, () -> Node.startApi(settings, lifetime));

    assertThat(refused.sentence()).contains("EBB_DB_POOLER=false");
    assertThat(refused.exitCode()).isEqualTo(CannotStart.WRONG_USE);
  }

  @Test
  void a_taken_port_is_told_with_the_setting_to_change() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (String setting : List.of("EBB_HTTP_PORT", "EBB_HEALTH_PORT")) {
        Settings settings = settings(Map.of(setting, Integer.toString(taken.getLocalPort())));

        CannotStart refused =
            catchThrowableOfType(CannotStart.class, () -> Ports.requireFree(settings));

        assertThat(refused.sentence()).contains("set " + setting);
      }
    }
  }

  @Test
  void a_worker_with_a_port_of_its_own_starts_beside_an_api() throws Exception {
    try (ServerSocket api = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(TestPostgres.freePort());
      Settings settings =
          settings(
              Map.of(
                  "EBB_HTTP_PORT", Integer.toString(api.getLocalPort()), "EBB_HEALTH_PORT", port));

      Node.startWorker(settings, lifetime);

      URI uri = URI.create("http://127.0.0.1:" + port + "/livez");
      assertThat(
              client
                  .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private HttpResponse<String> get(Settings settings, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + settings.httpPort() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String askFor(Settings settings, String host, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), settings.httpPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static Settings settings(Map<String, String> variables) {
    return settings(variables, TestPostgres.shared().newDatabase());
  }

  private static Settings settings(Map<String, String> variables, DatabaseConfig database) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("EBB_AUTH", "off");
    all.putIfAbsent("EBB_SHUTDOWN_DELAY", "0s");
    all.putIfAbsent("EBB_HTTP_PORT", Integer.toString(TestPostgres.freePort()));
    Settings settings = Settings.read(all);
    return settings.withDatabase(database, settings.migrate());
  }
}
