package dev.ebb.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between a client and the API, and does to requests what a test says. */
final class LossyProxy implements AutoCloseable {
  /** What becomes of a request. */
  enum Fate {
    /** It is served, and nobody hears of it. */
    LOSE_ANSWER,
    /** It does not arrive. */
    LOSE_REQUEST,
    /** It is told to come again in a second. */
    BUSY,
    /** It is answered with 500, and does not arrive. */
    FAIL,
    /** It is said to be too large, and does not arrive. */
    REFUSE
  }

  /** A request as it was sent. */
  record Seen(String path, String key, String body) {}

  final List<Seen> seen = new CopyOnWriteArrayList<>();

  private final Map<String, Queue<Fate>> fates = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client = HttpClient.newHttpClient();
  private final int target;
  private final HttpServer server;
  private volatile boolean cut;

  private LossyProxy(int target) throws IOException {
    this.target = target;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  static LossyProxy before(ApiServer api) throws IOException {
    return new LossyProxy(api.port());
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What becomes of the next requests to a path, one after the other; later ones pass. */
  void next(String path, Fate... fates) {
    fatesOf(path).addAll(List.of(fates));
  }

  private Queue<Fate> fatesOf(String path) {
    return fates.computeIfAbsent(path, _ -> new ConcurrentLinkedQueue<>());
  }

  /** The bodies of the requests to a path, in their order. */
  List<String> bodies(String path) {
    return seen.stream().filter(one -> one.path().equals(path)).map(Seen::body).toList();
  }

  /** Whether no request arrives any more. */
  void cut(boolean cut) {
    this.cut = cut;
  }

  private void serve(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    seen.add(new Seen(path, String.valueOf(key), new String(body, StandardCharsets.UTF_8)));
    Fate fate = cut ? Fate.LOSE_REQUEST : fatesOf(path).poll();
    switch (fate) {
      case LOSE_REQUEST -> exchange.close();
      case BUSY -> {
        exchange.getResponseHeaders().add("Retry-After", "1");
        refuse(exchange, 503);
      }
      case FAIL -> refuse(exchange, 500);
      case REFUSE -> refuse(exchange, 413);
      case null -> answer(exchange, forward(path, key, body), cut);
      case LOSE_ANSWER -> answer(exchange, forward(path, key, body), true);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private HttpResponse<byte[]> forward(String path, String key, byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer, boolean lost)
      throws IOException {
    if (lost) {
      exchange.close();
      return;
    }
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (name.startsWith("ebb-") || name.equals("retry-after")) {
            values.forEach(value -> exchange.getResponseHeaders().add(name, value));
          }
        });
    int length = answer.body().length;
    exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
  }
}
