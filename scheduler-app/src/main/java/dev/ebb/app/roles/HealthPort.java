package dev.ebb.app.roles;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private HealthPort(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param ready whether the worker reaches its database
   * @param metrics the metrics in Prometheus' text form
   */
  static HealthPort start(String host, int port, BooleanSupplier ready, Supplier<String> metrics)
      throws IOException {
    HealthPort health =
        new HealthPort(
            HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), 0));
    health.server.createContext("/livez", exchange -> answer(exchange, 200, "alive\n"));
    health.server.createContext(
        "/readyz",
        exchange -> {
          boolean isReady = ready.getAsBoolean();
          answer(exchange, isReady ? 200 : 503, isReady ? "ready\n" : "database unavailable\n");
        });
    health.server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
    health.server.setExecutor(health.threads);
    health.server.start();
    return health;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      boolean known =
          exchange.getRequestURI().getPath().equals(exchange.getHttpContext().getPath());
      byte[] bytes = (known ? text : "not found\n").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", METRICS_TYPE);
      exchange.sendResponseHeaders(known ? status : 404, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
