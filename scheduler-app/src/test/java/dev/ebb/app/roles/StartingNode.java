package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A node that starts on a thread of its own, as it does on a program's first one. */
final class StartingNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What it starts. */
  @FunctionalInterface
  interface Role {
    void start(Settings settings, Lifetime lifetime) throws Exception;
  }

  private final Settings settings;
  private final Lifetime lifetime;
  private final HttpClient client = HttpClient.newHttpClient();
  private final FutureTask<Boolean> start;

  StartingNode(Role role, DatabaseConfig database, Map<String, String> variables) {
    this(role, database, variables, new Lifetime());
  }

  /** One that is told to stop before it has started. */
  static StartingNode toldToStop(Role role, DatabaseConfig database) {
    Lifetime ended = new Lifetime();
    ended.close();
    return new StartingNode(role, database, Map.of(), ended);
  }

  private StartingNode(
      Role role, DatabaseConfig database, Map<String, String> variables, Lifetime lifetime) {
    this.lifetime = lifetime;
    Map<String, String> all = new HashMap<>(variables);
    all.put("EBB_AUTH", "off");
    all.putIfAbsent("EBB_SHUTDOWN_DELAY", "0s");
    all.put("EBB_HTTP_PORT", Integer.toString(TestPostgres.freePort()));
    Settings read = Settings.read(all);
    this.settings = read.withDatabase(database, read.migrate());
    this.start =
        new FutureTask<>(() -> {
          role.start(settings, lifetime);
          return true;
        });
    Thread.ofVirtual().start(start);
  }

  /** Waits until the start has ended, and throws what it threw. */
  void awaitStarted() throws Exception {
    try {
      start.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof CannotStart refused) {
        throw refused;
      }
      throw failed;
    }
  }

  int port() {
    return settings.httpPort();
  }

  boolean isStarting() {
    return !start.isDone();
  }

  /** Waits until the path is answered so; a start that failed is told instead. */
  void awaitStatus(String path, int status) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (status(path) != status) {
      if (!isStarting()) {
        awaitStarted();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(path + " was not answered with " + status);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  /** The status of the answer, 0 where nobody listens. */
  int status(String path) throws Exception {
    try {
      return send(request(path).build()).statusCode();
    } catch (ConnectException nobody) {
      return 0;
    }
  }

  String get(String path) throws Exception {
    return send(request(path).build()).body();
  }

  String post(String path, String json) throws Exception {
    return answer(path, json).body();
  }

  HttpResponse<String> answer(String path, String json) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  String put(String path, String json) throws Exception {
    return send(request(path)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(json))
            .build())
        .body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + settings.httpPort() + path));
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The first lines of its stream of events, up to one that begins so, within a minute. */
  List<String> events(String lastId, String until) throws Exception {
    HttpRequest request = request("/v1/events?for=PT1M").header("Last-Event-ID", lastId).build();
    List<String> lines = new ArrayList<>();
    try (HttpClient own = HttpClient.newHttpClient();
        Stream<String> body = own.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      for (var each = body.iterator(); each.hasNext(); ) {
        lines.add(each.next());
        if (lines.getLast().startsWith(until)) {
          own.shutdownNow();
          return lines;
        }
      }
    }
    throw new AssertionError(lines);
  }

  /** What SIGTERM does. */
  void stop() {
    lifetime.close();
  }

  @Override
  public void close() {
    stop();
    client.close();
  }
}
