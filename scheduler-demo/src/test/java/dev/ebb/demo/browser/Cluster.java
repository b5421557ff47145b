package dev.ebb.demo.browser;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.app.merchant.Behaviour;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.roles.Node;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node with API, dashboard and worker over a new database, and a merchant: it asks for tokens,
 * and can be stopped and started again.
 */
final class Cluster implements AutoCloseable {
  /** May do everything. */
  static final String ADMIN = "an-admin's-token-of-32-characters";

  private static final String LOOPBACK = "127.0.0.1";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final DatabaseConfig config;
  private final Merchant merchant = Merchant.start(LOOPBACK, TestPostgres.freePort());
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Settings settings;
  private @Nullable Lifetime lifetime;

  private Cluster(DatabaseConfig config) {
    this.config = config;
    settings =
        Settings.read(
                Map.of(
                    "EBB_HTTP_PORT", Integer.toString(TestPostgres.freePort()),
                    "EBB_SHUTDOWN_DELAY", "0s",
                    "EBB_DRAIN", "1s",
                    "EBB_SECRETS_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="))
            .withDatabase(config, false)
            .withAccess(AccessConfig.of(ADMIN, List.of("")))
            .withDeliveryAllow(LOOPBACK + ":" + merchant.port());
  }

  static Cluster started() {
    return started(TestPostgres.durable().newDatabase());
  }

  /** One on a database that is there. */
  static Cluster started(DatabaseConfig config) {
    Cluster cluster = new Cluster(config);
    cluster.start();
    return cluster;
  }

  void start() {
    Lifetime started = new Lifetime();
    lifetime = started;
    try {
      Node.startServer(settings, started);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  void stop() {
    if (lifetime != null) {
      lifetime.close();
      lifetime = null;
    }
  }

  String origin() {
    return "http://" + LOOPBACK + ":" + settings.httpPort();
  }

  DatabaseConfig config() {
    return config;
  }

  /** Where deliveries go. */
  String merchant() {
    return "http://" + LOOPBACK + ":" + merchant.port();
  }

  void behave(Behaviour behaviour) {
    try {
      merchant.behave(behaviour);
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** An answer, whose body is JSON or empty. */
  record Answer(int status, JsonNode json) {
    String field(String name) {
      return json.path(name).asString("");
    }
  }

  /** What a program with the admin's token is answered. */
  Answer ask(String method, String path, Object body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(origin() + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + ADMIN)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      String text = answer.body().isEmpty() ? "null" : answer.body();
      return new Answer(answer.statusCode(), JSON.readTree(text));
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  JsonNode get(String path) {
    return ask("GET", path, "").json();
  }

  /** Has something changed that must not be refused. */
  Answer change(String method, String path, Object body) {
    Answer answer = ask(method, path, body);
    if (answer.status() >= 300) {
      throw new IllegalStateException(method + " " + path + ": " + answer);
    }
    return answer;
  }

  /** The id of a new job that delivers to the merchant. */
  String submit(String queue, Map<String, Object> more) {
    Map<String, Object> job = new LinkedHashMap<>(more);
    job.put("kind", "http");
    job.put("queue", queue);
    job.putIfAbsent("payload", Map.of("url", merchant() + "/orders", "body", Map.of("order", 1)));
    return change("POST", "/v1/jobs", job).field("id");
  }

  /** The text of a new token. */
  String token(String name, String role) {
    return change("POST", "/v1/tokens", Map.of("name", name, "role", role)).field("token");
  }

  /** Runs a statement, for what only a worker writes. */
  void execute(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }

  /** The only value that a query answers, as text. */
  String value(String sql) {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }

  /** Waits until a query answers {@code true}. */
  void await(String sql) {
    long end = System.nanoTime() + Chromium.PATIENCE.toNanos();
    while (!value(sql).equals("t")) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come true: " + sql);
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  @Override
  public void close() {
    stop();
    merchant.close();
    client.close();
  }
}
