package dev.ebb.app.roles;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.ServedHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A worker's port: {@code /livez}, {@code /readyz} and {@code /metrics}. */
final class HealthPort implements AutoCloseable {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  static {
    // The JDK's server bounds nothing by itself, and reads these once.
    System.setProperty("jdk.httpserver.maxConnections", "64");
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
  }

  private static final Answer NOT_FOUND = new Answer(404, "not found\n");

  private final HttpServer server;
  private final ServedHosts hosts;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private HealthPort(HttpServer server, ServedHosts hosts) {
    this.server = server;
    this.hosts = hosts;
  }

  /**
   * Starts to listen.
   *
   * @param hosts for which it may be asked
   * @param ready whether the worker runs and reaches its database
   * @param metrics the metrics in Prometheus' text form
   */
  static HealthPort start(
      String host, int port, ServedHosts hosts, BooleanSupplier ready, Supplier<String> metrics)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
    HealthPort health = new HealthPort(HttpServer.create(address, 0), hosts);
    health.serve("/livez", () -> new Answer(200, "alive\n"));
    health.serve(
        "/readyz",
        () ->
            ready.getAsBoolean()
                ? new Answer(200, "ready\n")
                : new Answer(503, "database unavailable\n"));
    health.serve("/metrics", () -> new Answer(200, metrics.get()));
    health.serve("/", () -> NOT_FOUND);
    health.server.setExecutor(health.threads);
    health.server.start();
    return health;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private record Answer(int status, String text) {}

  private void serve(String path, Supplier<Answer> answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            write(exchange, judged(exchange, answer));
          }
        });
  }

  private Answer judged(HttpExchange exchange, Supplier<Answer> answer) {
    if (!hosts.serves(exchange.getRequestHeaders().getFirst("Host"))) {
      return new Answer(421, "The Host " + ServedHosts.RULE + ".\n");
    }
    // A context serves what lies below its path too.
    String path = exchange.getRequestURI().getPath();
    return path.equals(exchange.getHttpContext().getPath()) ? answer.get() : NOT_FOUND;
  }

  private static void write(HttpExchange exchange, Answer answer) throws IOException {
    byte[] bytes = answer.text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", METRICS_TYPE);
    exchange.sendResponseHeaders(answer.status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
