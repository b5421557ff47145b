package dev.ebb.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A merchant's server that sees in which order the jobs of ordering keys come. A job's payload is
 * its key times the jobs of a key, plus its place in the key.
 */
final class OrderedMerchant implements AutoCloseable {
  private static final double FAILING = 0.2;
  private static final Duration LONGEST = Duration.ofMillis(80);

  private final HttpServer server;
  private final int jobsPerKey;
  private final Key[] keys;
  private int calls;
  private int doubles;
  private int disorder;

  /** What was seen of a key. */
  private static final class Key {
    private int running;
    private int furthest;
    private int succeeded;
  }

  OrderedMerchant(int keys, int jobsPerKey) throws IOException {
    this.jobsPerKey = jobsPerKey;
    this.keys = IntStream.range(0, keys).mapToObj(_ -> new Key()).toArray(Key[]::new);
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    int number = Integer.parseInt(new String(body, StandardCharsets.UTF_8));
    Key key = keys[number / jobsPerKey];
    int place = number % jobsPerKey;
    begin(key, place);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    LockSupport.parkNanos(random.nextLong(LONGEST.toNanos()));
    boolean ok = random.nextDouble() >= FAILING;
    end(key, place, ok);
    try (exchange) {
      exchange.sendResponseHeaders(ok ? 200 : 500, -1);
    }
  }

  /** A job may come again whose node died, but not behind a later one, nor before its turn. */
  private synchronized void begin(Key key, int place) {
    calls++;
    doubles += key.running > 0 ? 1 : 0;
    disorder += place < key.furthest || place > key.succeeded ? 1 : 0;
    key.running++;
    key.furthest = Math.max(key.furthest, place);
  }

  private synchronized void end(Key key, int place, boolean ok) {
    key.running--;
    if (ok) {
      key.succeeded = Math.max(key.succeeded, place + 1);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  synchronized int calls() {
    return calls;
  }

  /** How many calls came while another of the key was unanswered. */
  synchronized int doubles() {
    return doubles;
  }

  /** How many calls came behind a later one of the key, or before an earlier one had succeeded. */
  synchronized int disorder() {
    return disorder;
  }

  /** Whether every job has succeeded. */
  synchronized boolean hasAll() {
    return IntStream.range(0, keys.length).allMatch(i -> keys[i].succeeded == jobsPerKey);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
