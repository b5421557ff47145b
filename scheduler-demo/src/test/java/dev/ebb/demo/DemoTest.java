package dev.ebb.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path home;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void a_notification_is_delivered_and_is_still_there_after_a_restart() throws Exception {
    Settings settings = settings();
    String id;
    try (Lifetime lifetime = new Lifetime()) {
      assertThat(Demo.start(settings, lifetime))
          .startsWith("Dashboard   http://127.0.0.1:" + settings.httpPort() + "/ui\n")
          .contains("http://127.0.0.1:" + settings.httpPort() + "/v1/jobs")
          .contains("http://127.0.0.1:" + settings.merchantPort())
          .contains("PGPASSWORD=$(cat '" + home.resolve("demo/password") + "') psql -h 127.0.0.1 ")
          .contains("-X PUT http://127.0.0.1:" + (settings.merchantPort() + 1) + "/behaviour");
      id = awaitCompleted(settings);
      assertThat(merchant(settings)).contains(id);
      JsonNode limiter = get(settings, "/v1/queues/demo/limiter");
      assertThat(limiter.get("stableRate").asDouble()).isEqualTo(10);
      assertThat(limiter.get("coldRate").asDouble()).isEqualTo(2.5);
      JsonNode report = get(settings, "/v1/schedules/settlement-report");
      assertThat(report.path("nextFireAt").asString()).endsWith("T12:00:00Z");
      assertThat(get(settings, "/v1/schedules").path("items").size()).isEqualTo(2);
    }
    try (Lifetime lifetime = new Lifetime()) {
      Demo.start(settings, lifetime);
      assertThat(get(settings, "/v1/jobs/" + id).get("state").asString()).isEqualTo("completed");
    }
  }

  @Test
  void an_address_that_is_not_the_merchants_is_refused() throws Exception {
    Settings settings = settings();
    try (Lifetime lifetime = new Lifetime()) {
      Demo.start(settings, lifetime);
      String url = "http://127.0.0.1:" + settings.httpPort() + "/v1/jobs";

      String id = submit(settings, "{\"kind\":\"http\",\"payload\":{\"url\":\"" + url + "\"}}");

      JsonNode job = awaitState(settings, id, "dead_letter");
      assertThat(job.get("deadReason").asString()).isEqualTo("address_refused");
      String told =
          "127.0.0.1 is not a public address; to allow it, add 127.0.0.1:%s to EBB_DELIVERY_ALLOW"
              .formatted(settings.httpPort());
      assertThat(job.get("lastError").get("message").asString()).isEqualTo(told);
      assertThat(get(settings, "/v1/jobs/" + id + "/attempts").toString()).contains(told);
      assertThat(text(settings.httpPort(), "/ui/jobs/" + id)).contains(told);
    }
  }

  @Test
  void a_service_of_ones_own_is_called_beside_the_merchant_once_it_is_allowed() throws Exception {
    HttpServer own =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    own.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    own.start();
    String address = "127.0.0.1:" + own.getAddress().getPort();
    Settings settings = settings(Map.of("EBB_DELIVERY_ALLOW", address));
    try (Lifetime lifetime = new Lifetime()) {
      Demo.start(settings, lifetime);

      String id =
          submit(settings, "{\"kind\":\"http\",\"payload\":{\"url\":\"http://" + address + "\"}}");

      awaitState(settings, id, "completed");
      awaitCompleted(settings);
    } finally {
      own.stop(0);
    }
  }

  @Test
  void a_second_demo_on_the_same_folder_is_told_so() throws Exception {
    try (DemoFolder taken = DemoFolder.take(home)) {
      Settings settings = settings();
      CannotStart refused =
          catchThrowableOfType(CannotStart.class, () -> Demo.start(settings, new Lifetime()));

      assertThat(refused.sentence())
          .isEqualTo(
              "Another demo runs on "
                  + taken.path()
                  + ": stop it, or set EBB_HOME to another folder.");
    }
    DemoFolder.take(home).close();
  }

  private String awaitCompleted(Settings settings) throws Exception {
    for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
      JsonNode items = get(settings, "/v1/jobs?queue=demo&state=completed").get("items");
      if (!items.isEmpty()) {
        return items.get(0).get("id").asString();
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("nothing was delivered");
  }

  private JsonNode awaitState(Settings settings, String id, String state) throws Exception {
    for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
      JsonNode job = get(settings, "/v1/jobs/" + id);
      if (job.get("state").asString().equals(state)) {
        return job;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("not " + state);
  }

  private JsonNode get(Settings settings, String path) throws Exception {
    return JsonMapper.shared().readTree(text(settings.httpPort(), path));
  }

  private String merchant(Settings settings) throws Exception {
    return text(settings.merchantPort() + 1, "/");
  }

  private String text(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private String submit(Settings settings, String job) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + settings.httpPort() + "/v1/jobs"))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(job))
            .build();
    String answer = client.send(request, BodyHandlers.ofString()).body();
    return JsonMapper.shared().readTree(answer).get("id").asString();
  }

  private Settings settings() throws IOException {
    return settings(Map.of());
  }

  private Settings settings(Map<String, String> others) throws IOException {
    Map<String, String> variables = new HashMap<>(others);
    variables.put("EBB_HOME", home.toString());
    variables.put("EBB_SHUTDOWN_DELAY", "0s");
    variables.put("EBB_HTTP_PORT", Integer.toString(TestPostgres.freePort()));
    variables.put("EBB_MERCHANT_PORT", Integer.toString(TestPostgres.freePort()));
    return Settings.read(variables);
  }
}
