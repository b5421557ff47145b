package dev.ebb.app.roles;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A collector of OpenTelemetry, which remembers what it is sent and may never answer. */
final class Collector implements AutoCloseable {
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch answers;
  private final HttpServer server;

  private Collector(boolean hangs) throws IOException {
    answers = new CountDownLatch(hangs ? 1 : 0);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  static Collector start() throws IOException {
    return new Collector(false);
  }

  static Collector thatHangs() throws IOException {
    return new Collector(true);
  }

  private void answer(HttpExchange exchange) throws IOException {
    // The texts stand in it as they are.
    String body = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
    received.add(exchange.getRequestURI().getPath() + " " + body);
    try (exchange) {
      answers.await();
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The variables of a node that sends here. */
  Map<String, String> variables(String delayMillis) {
    return Map.of(
        "EBB_TRACES",
        "otlp",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        url(),
        "OTEL_BSP_SCHEDULE_DELAY",
        delayMillis);
  }

  /** The properties of a process that sends here. */
  Map<String, String> properties() {
    return Map.of("otel.exporter.otlp.endpoint", url());
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The path and the body of each request. */
  List<String> received() {
    return List.copyOf(received);
  }

  boolean has(String text) {
    return received.stream().anyMatch(one -> one.contains(text));
  }

  @Override
  public void close() {
    answers.countDown();
    server.stop(0);
  }
}
