package dev.ebb.app.roles;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.ServedHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A worker's port: {@code /livez}, {@code /startupz}, {@code /readyz} and {@code /metrics}. */
final class HealthPort implements AutoCloseable {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  static {
    // The JDK's server bounds nothing by itself, and reads these once.
    System.setProperty("jdk.httpserver.maxConnections", "64");
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
  }

  private final HttpServer server;
  private final ServedHosts hosts;
  private final Health health;
  private final Supplier<String> metrics;

  private HealthPort(
      HttpServer server, ServedHosts hosts, Health health, Supplier<String> metrics) {
    this.server = server;
    this.hosts = hosts;
    this.health = health;
    this.metrics = metrics;
  }

  /**
   * What probes ask.
   *
   * @param started whether the worker was started, which it stays
   * @param trouble what keeps it from its work now; {@code null} if it is ready
   * @param stopping whether it was told to stop
   */
  record Health(
      BooleanSupplier started, Supplier<@Nullable String> trouble, BooleanSupplier stopping) {}

  /**
   * Starts to listen.
   *
   * @param hosts for which it may be asked
   * @param metrics the metrics in Prometheus' text form
   */
  static HealthPort start(
      String host, int port, ServedHosts hosts, Health health, Supplier<String> metrics)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
    HealthPort started = new HealthPort(HttpServer.create(address, 0), hosts, health, metrics);
    started.server.createContext("/", started::serve);
    started.server.setExecutor(Thread::startVirtualThread);
    started.server.start();
    return started;
  }

  private record Answer(int status, String text) {}

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      byte[] bytes = answer.text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", METRICS_TYPE);
      exchange.sendResponseHeaders(answer.status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Answer answer(HttpExchange exchange) {
    if (!hosts.serves(exchange.getRequestHeaders().getFirst("Host"))) {
      return new Answer(421, "The Host " + ServedHosts.RULE + ".\n");
    }
    return switch (exchange.getRequestURI().getPath()) {
      case "/livez" -> new Answer(200, "alive\n");
      case "/startupz" ->
          health.started.getAsBoolean()
              ? new Answer(200, "started\n")
              : new Answer(503, "waiting for the database\n");
      case "/readyz" -> ready();
      case "/metrics" -> new Answer(200, metrics.get());
      default -> new Answer(404, "not found\n");
    };
  }

  private Answer ready() {
    if (health.stopping.getAsBoolean()) {
      return new Answer(503, "stopping\n");
    }
    String trouble = health.trouble.get();
    return trouble == null ? new Answer(200, "ready\n") : new Answer(503, trouble + "\n");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
