package dev.ebb.app.roles;

import dev.ebb.app.Ebb;
import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A node in a process of its own, as an operator starts and stops it. */
final class NodeProcess implements AutoCloseable {
  /** Long enough for any machine; nothing is asserted of how long it took. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path log;
  private final int port;
  private final int healthPort;

  /** It may be asked on one connection again and again. */
  private final HttpClient client = HttpClient.newHttpClient();

  private NodeProcess(Process process, Path log, int port, int healthPort) {
    this.process = process;
    this.log = log;
    this.port = port;
    this.healthPort = healthPort;
  }

  /** Starts one with a health port of its own, and waits until it is ready. */
  static NodeProcess start(String role, DatabaseConfig database, Map<String, String> variables)
      throws Exception {
    return start(Sabotage.java(Ebb.class, role), database, variables);
  }

  /** The same by a command of its own. */
  static NodeProcess start(
      List<String> command, DatabaseConfig database, Map<String, String> variables)
      throws Exception {
    int port = TestPostgres.freePort();
    int healthPort = TestPostgres.freePort();
    Path log = Files.createTempFile("ebb-node", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    Map<String, String> all = builder.environment();
    all.putAll(
        Map.of(
            "EBB_DB_URL", database.url(),
            "EBB_DB_USER", "postgres",
            "EBB_DB_PASSWORD", "postgres",
            "EBB_AUTH", "off",
            "EBB_DELIVERY_ALLOW", "127.0.0.1/32",
            "EBB_HTTP_PORT", Integer.toString(port),
            "EBB_HEALTH_PORT", Integer.toString(healthPort)));
    all.putAll(variables);
    NodeProcess node = new NodeProcess(builder.start(), log, port, healthPort);
    node.await("it is ready", () -> node.health("/readyz").statusCode() == 200);
    return node;
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.toHandle().destroy();
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end, and answers the code. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it did not end:\n" + log());
    }
    return process.exitValue();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> health(String path) throws Exception {
    return client.send(request(healthPort, path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    return client.send(request(port, path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> submit(String job) throws Exception {
    return client.send(submission(job).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> submit(String job, String key) throws Exception {
    return client.send(
        submission(job).header("Idempotency-Key", key).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder submission(String job) {
    return request(port, "/v1/jobs")
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(job));
  }

  /** Whether nobody takes a new connection to the port of requests. */
  boolean isPortClosed() throws Exception {
    try (HttpClient another = HttpClient.newHttpClient()) {
      another.send(request(port, "/v1/jobs").build(), BodyHandlers.discarding());
      return false;
    } catch (ConnectException refused) {
      return true;
    }
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .version(HttpClient.Version.HTTP_1_1);
  }

  /** Waits until it is so; a node that has ended, or is not yet reached, is asked again. */
  void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(List.of(what, log()).toString());
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (IOException notNow) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    client.close();
    Files.deleteIfExists(log);
  }
}
