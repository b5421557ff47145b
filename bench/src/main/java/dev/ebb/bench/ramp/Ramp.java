package dev.ebb.bench.ramp;

import com.alibaba.csp.sentinel.node.StatisticNode;
import com.alibaba.csp.sentinel.slots.block.flow.controller.WarmUpController;
import com.google.common.util.concurrent.RateLimiter;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schema.Migrations;
import dev.ebb.worker.JobContext;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A full backlog behind a cold limit of 200 a second after ten seconds: the calls that arrive at a
 * merchant from several nodes, and what Guava's limiter and Sentinel's let through in one process
 * at the same time.
 */
public final class Ramp {
  private static final RateLimit LIMIT = RateLimit.of(200, Duration.ofSeconds(10), 3);
  private static final Act ACT = Act.onMachine("bench");
  private static final int SECONDS = 15;
  private static final int NODES = 3;
  private static final String KIND = "ramp";

  private Ramp() {}

  /** Calls in each second, by who made them. */
  public record Rates(Map<String, List<Integer>> measured, List<Double> closedForm) {}

  /** Runs for a quarter of a minute on an empty database. */
  public static Rates measure(DatabaseConfig config) throws Exception {
    // Sentinel writes a log, by default below the user's home.
    System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
    Migrations.migrate(config);
    Queue<Long> arrivals = new ConcurrentLinkedQueue<>();
    Map<String, List<Integer>> measured = new LinkedHashMap<>();
    HttpServer merchant = merchant(arrivals);
    try (var others = Executors.newFixedThreadPool(2)) {
      var guava = others.submit(Ramp::guava);
      var sentinel = others.submit(Ramp::sentinel);
      calls(config, merchant.getAddress().getPort(), arrivals);
      measured.put("Ebb, calls at the merchant, " + NODES + " workers", perSecond(arrivals));
      measured.put("Guava, one process", perSecond(guava.get()));
      measured.put("Sentinel, one process", perSecond(sentinel.get()));
    } finally {
      merchant.stop(0);
    }
    return new Rates(measured, closedForm());
  }

  private static HttpServer merchant(Queue<Long> arrivals) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          arrivals.add(System.nanoTime());
          try (exchange) {
            exchange.sendResponseHeaders(204, -1);
          }
        });
    server.start();
    return server;
  }

  private static void calls(DatabaseConfig config, int port, Queue<Long> arrivals)
      throws Exception {
    Deque<AutoCloseable> open = new ArrayDeque<>();
    try (HttpClient client = HttpClient.newHttpClient();
        Database database = Database.open(config)) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      Queues queues = new Queues(database);
      queues.put(NewJob.DEFAULT_QUEUE, new QueueSettings(true, null, LIMIT, null), true, ACT);
      for (int i = 0; i < SECONDS; i++) {
        new JobQueue(database).submit(Collections.nCopies(200, NewJob.of(KIND, "{}")));
      }
      for (int node = 0; node < NODES; node++) {
        open.push(start(config, node, client, request));
      }
      queues.put(NewJob.DEFAULT_QUEUE, new QueueSettings(false, null, LIMIT, null), true, ACT);
      awaitLast(arrivals);
      for (AutoCloseable node : open) {
        node.close();
      }
    }
  }

  private static AutoCloseable start(
      DatabaseConfig config, int node, HttpClient client, HttpRequest request) {
    Database database = Database.open(config);
    Worker worker =
        Worker.start(
            database,
            WorkerConfig.defaults().withNode("node-" + node),
            Map.of(KIND, (JobContext _) -> call(client, request)),
            new SimpleMeterRegistry());
    return () -> {
      worker.close();
      database.close();
    };
  }

  private static Outcome call(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<Void> answer = client.send(request, HttpResponse.BodyHandlers.discarding());
    return answer.statusCode() == 204 ? Outcome.completed() : Outcome.failed("http", "no");
  }

  private static void awaitLast(Queue<Long> arrivals) {
    long patience = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (System.nanoTime() < patience) {
      Long first = arrivals.peek();
      if (first != null && System.nanoTime() - first > TimeUnit.SECONDS.toNanos(SECONDS)) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    throw new IllegalStateException("no call arrived");
  }

  /** Its public limiter has the cold factor 3, too. */
  private static List<Long> guava() {
    RateLimiter limiter =
        RateLimiter.create(LIMIT.permitsPerSecond(), LIMIT.warmUp().toSeconds(), TimeUnit.SECONDS);
    List<Long> passed = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      var _ = limiter.acquire();
      passed.add(System.nanoTime());
    }
    return passed;
  }

  private static List<Long> sentinel() {
    WarmUpController controller =
        new WarmUpController(
            LIMIT.permitsPerSecond(), (int) LIMIT.warmUp().toSeconds(), (int) LIMIT.coldFactor());
    StatisticNode node = new StatisticNode();
    List<Long> passed = new ArrayList<>();
    // It counts by whole seconds of the wall clock.
    LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(1_000 - System.currentTimeMillis() % 1_000));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      while (controller.canPass(node, 1)) {
        node.addPassRequest(1);
        passed.add(System.nanoTime());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return passed;
  }

  private static List<Integer> perSecond(Iterable<Long> nanos) {
    List<Integer> counts = new ArrayList<>(Collections.nCopies(SECONDS, 0));
    long first = nanos.iterator().next();
    for (long at : nanos) {
      int second = (int) ((at - first) / 1_000_000_000L);
      if (second >= 0 && second < SECONDS) {
        counts.set(second, counts.get(second) + 1);
      }
    }
    return counts;
  }

  private static List<Double> closedForm() {
    WarmUpLimiter limiter = new WarmUpLimiter(LIMIT);
    List<Double> rates = new ArrayList<>();
    for (int second = 0; second < SECONDS; second++) {
      rates.add(
          limiter.permitsFromCold(Duration.ofSeconds(second + 1))
              - limiter.permitsFromCold(Duration.ofSeconds(second)));
    }
    return rates;
  }
}
