package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.InvalidInput;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SystemTest {
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
  void it_is_alive_and_ready() {
    assertThat(api.get("/livez").body()).isEqualTo("{\"status\":\"alive\"}");
    assertThat(api.get("/startupz").body()).isEqualTo("{\"status\":\"started\"}");
    assertThat(api.get("/readyz").body()).isEqualTo("{\"status\":\"ready\"}");
  }

  @Test
  void metrics_name_routes_and_never_paths() {
    api.get("/v1/jobs/" + ApiServer.UNKNOWN_ID);
    api.get("/some/path/of/an/attacker");
    api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}");

    Reply reply =
        api.send(
            api.request("/metrics")
                .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).startsWith("text/plain;version=0.0.4");
    assertThat(reply.body())
        .contains(
            "ebb_http_requests_seconds_count{method=\"GET\",route=\"/v1/jobs/{id}\",status=\"404\"}",
            "ebb_jobs_submitted_total{queue=\"default\"}",
            "jvm_memory_used_bytes")
        .doesNotContain("attacker", ApiServer.UNKNOWN_ID);
  }

  @Test
  void a_worker_in_the_same_jvm_shows_its_meters_here() {
    api.meters().counter("ebb.of.a.worker").increment();

    assertThat(api.get("/metrics").body()).contains("ebb_of_a_worker_total 1.0");
  }

  @Test
  void a_port_that_is_taken_is_named() {
    Database database = TestPostgres.open(TestPostgres.shared().newDatabase());
    ApiConfig taken = ApiConfig.of("127.0.0.1", api.port());
    try (database) {
      assertThatThrownBy(() -> EbbApi.start(taken, database))
          .hasMessageContaining("cannot listen on 127.0.0.1:" + api.port());
    }
  }

  @Test
  void an_api_has_neither_started_nor_is_ready_before_what_it_is_a_part_of_has_started()
      throws Exception {
    AtomicBoolean started = new AtomicBoolean();
    try (Database database = TestPostgres.open(TestPostgres.shared().newDatabase());
        EbbApi part =
            EbbApi.start(
                ApiConfig.of("127.0.0.1", 0).withAccess(AccessConfig.openToAll()),
                database,
                started::get)) {
      assertThat(statusOf(part, "/livez")).isEqualTo(200);
      assertThat(statusOf(part, "/v1/jobs")).isEqualTo(200);
      assertThat(statusOf(part, "/startupz")).isEqualTo(503);
      assertThat(statusOf(part, "/readyz")).isEqualTo(503);

      started.set(true);

      assertThat(statusOf(part, "/startupz")).isEqualTo(200);
      Await.until("it is ready", () -> statusOf(part, "/readyz") == 200);
    }
  }

  private static int statusOf(EbbApi part, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + part.port() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void closing_the_api_leaves_the_database_to_its_owner() throws Exception {
    try (Database database = TestPostgres.open(TestPostgres.shared().newDatabase())) {
      EbbApi.start(ApiConfig.of("127.0.0.1", 0), database).close();

      try (Connection connection = database.connection()) {
        assertThat(connection.isValid(5)).isTrue();
      }
    }
  }

  @Test
  void settings_that_break_a_rule_are_named() {
    assertThatThrownBy(() -> ApiConfig.of("", 1)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ApiConfig.of("x", 65536)).hasMessageStartingWith("port must");
    assertThatThrownBy(() -> ApiConfig.of("x", 1).withNames(List.of("*")))
        .hasMessageStartingWith("names must");
    assertThatThrownBy(() -> ApiConfig.of("x", 1).withHealthPort(1))
        .hasMessageStartingWith("healthPort must");
  }

  @Test
  void limits_that_break_a_rule_are_named() {
    ApiConfig.Limits limits = ApiConfig.Limits.defaults();
    Duration second = Duration.ofSeconds(1);
    Map<String, ThrowingCallable> bad =
        Map.of(
            "maxBodyBytes must", () -> limits.withBodies(1023, 4096, 1 << 20),
            "maxBatchBytes must", () -> limits.withBodies(4096, 4095, 1 << 20),
            "maxBytesUnderWay must", () -> limits.withBodies(4096, 4096, 3 * 4096 - 1),
            "maxConnections must", () -> limits.withConnections(1, second),
            "headTime must", () -> limits.withConnections(2, second.multipliedBy(61)));

    bad.forEach((rule, build) -> assertThatThrownBy(build).hasMessageStartingWith(rule));
  }
}
