package dev.ebb.app.roles;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A merchant's server, which takes its time, refuses the first call of every fifth URL, and
 * remembers how often it answered each well.
 */
final class Merchant implements AutoCloseable {
  private final HttpServer server = HttpServer.create(new InetSocketAddress(0), 1024);
  private final Duration time;
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> well = new ConcurrentHashMap<>();

  Merchant(Duration time) throws IOException {
    this.time = time;
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    boolean isFirst = add(calls, path) == 1;
    LockSupport.parkNanos(time.toNanos());
    try (exchange) {
      if (isFirst && Math.floorMod(path.hashCode(), 5) == 0) {
        exchange.sendResponseHeaders(500, -1);
      } else {
        add(well, path);
        exchange.sendResponseHeaders(200, -1);
      }
    }
  }

  private static int add(Map<String, AtomicInteger> counts, String path) {
    return counts.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
  }

  /** A URL of its own for each name, at one of two addresses: a node shares its slots by those. */
  String url(String name) {
    int address = Math.floorMod(name.hashCode(), 2) + 1;
    return "http://127.0.0." + address + ":" + server.getAddress().getPort() + "/" + name;
  }

  /** How many URLs were answered well. */
  int answered() {
    return well.size();
  }

  /** How many URLs were answered well more than once. */
  long answeredTwice() {
    return well.values().stream().filter(count -> count.get() > 1).count();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
