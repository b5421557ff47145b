package dev.ebb.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A merchant's server that remembers every call, takes its time, and now and then fails. */
final class Merchant implements AutoCloseable {

  /**
   * A call as the merchant saw it.
   *
   * @param atNanos by the monotonic clock of this process
   */
  record Call(long atNanos, boolean answeredOk) {}

  private final HttpServer server;
  private volatile double failing;
  private volatile int failure = 500;
  private final Duration longest;
  private final ConcurrentHashMap<UUID, List<Call>> calls = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /**
   * Starts it on a port of its own.
   *
   * @param failing which part of the calls is answered by 500, 0 to 1
   * @param longest how long an answer takes; they spread evenly from nothing, and the calls for one
   *     job in ten take up to fifteen times as long
   */
  Merchant(double failing, Duration longest) throws IOException {
    this.failing = failing;
    this.longest = longest;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    UUID job = UUID.fromString(exchange.getRequestHeaders().getFirst("webhook-id"));
    ThreadLocalRandom random = ThreadLocalRandom.current();
    boolean ok = random.nextDouble() >= failing;
    calls
        .computeIfAbsent(job, _ -> new CopyOnWriteArrayList<>())
        .add(new Call(System.nanoTime(), ok));
    most.accumulateAndGet(open.incrementAndGet(), Math::max);
    awaitUninterruptibly(gate);
    int times = Math.floorMod(job.hashCode(), 10) == 0 ? 15 : 1;
    LockSupport.parkNanos(random.nextLong(times * longest.toNanos()));
    open.decrementAndGet();
    try (exchange) {
      exchange.sendResponseHeaders(ok ? 200 : failure, -1);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** From now on no call is answered before {@link #release}. */
  void hold() {
    gate = new CountDownLatch(1);
  }

  /** Answers what was held, and all that comes. */
  void release() {
    gate.countDown();
  }

  /** From now on the calls that fail are answered by this status. */
  void answerFailures(int status) {
    failure = status;
  }

  /** From now on every call is answered well. */
  void mend() {
    failing = 0;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** The calls for a job, in the order in which they came. */
  List<Call> calls(UUID job) {
    return calls.getOrDefault(job, List.of());
  }

  /** Forgets all calls so far. */
  void forget() {
    calls.clear();
  }

  /** When the calls came, in order. */
  List<Long> times() {
    return calls.values().stream().flatMap(List::stream).map(Call::atNanos).sorted().toList();
  }

  /** How many calls were unanswered at one time, at most. */
  int mostAtATime() {
    return most.get();
  }

  /** How many calls there were in all. */
  long callsInAll() {
    return calls.values().stream().mapToLong(List::size).sum();
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
