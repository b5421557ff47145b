package dev.ebb.worker;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.Submitter;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Two hundred merchants that answer at once, three that do not, and a node that serves all. */
final class Neighbours implements AutoCloseable {
  /** Of the good merchants' jobs in a round. */
  static final int JOBS = 1_000;

  private static final int MERCHANTS = 200;
  private static final Duration EVERY = Duration.ofMillis(10);
  private static final Duration BAD_EVERY = Duration.ofMillis(100);

  /** In which the bad ones come to the most that they can take. */
  private static final Duration LEAD = Duration.ofSeconds(3);

  private static final int BAD_JOBS =
      (int) LEAD.plus(EVERY.multipliedBy(JOBS)).dividedBy(BAD_EVERY);

  /** The tarpit asks for thirty slots at a time, where its half is twenty. */
  private static final int CONCURRENCY = 40;

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Of a queue that all share. */
  private static final int SHARED_CONCURRENCY = 10;

  private static final int SUBMITTERS = 4;
  private static final Pattern NUMBER = Pattern.compile("\"body\": *(\\d+)");
  private static final String SHARED = "shared";

  private final boolean shareAQueue;
  private final WorkerBench bench = new WorkerBench();
  private final HttpServer good;
  private final BadMerchants bad = BadMerchants.start();
  private final HttpHandler http =
      new HttpHandler(
          HttpHandlerConfig.defaults()
              .withAllow("127.0.0.0/8")
              .withTimeout(TIMEOUT)
              .withConcurrency(CONCURRENCY));

  private final Notifier notifier = bench.notifier();
  private final Submitter submitter = new Submitter(bench.database, notifier);

  /** When each of the good ones' jobs was submitted, by its number. */
  private final Map<Integer, Long> submittedNanos = new ConcurrentHashMap<>();

  /** How late its attempt started, in milliseconds. */
  private final Map<Integer, Double> delays = new ConcurrentHashMap<>();

  /**
   * Starts all of them.
   *
   * @param shareAQueue whether all jobs are of one queue, rather than each merchant's of its own
   */
  Neighbours(boolean shareAQueue) throws IOException, SQLException {
    this.shareAQueue = shareAQueue;
    good = HttpServer.create(new InetSocketAddress(0), 1024);
    good.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    good.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var _ = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
          }
        });
    good.start();
    createDestinations();
    bench.start(WorkerBench.settings().withConcurrency(CONCURRENCY), new Timed());
  }

  private void createDestinations() throws SQLException {
    Queues queues = new Queues(bench.database);
    for (int i = 0; i < MERCHANTS; i++) {
      create(queues, "good-" + i, goodUrl(i));
    }
    for (BadMerchants.Kind kind : BadMerchants.Kind.values()) {
      create(queues, bad(kind), bad.url(kind));
    }
    queues.put(
        SHARED,
        new QueueSettings(false, WorkerBench.QUICK, null, SHARED_CONCURRENCY),
        true,
        Bench.ACT);
  }

  private static void create(Queues queues, String name, String url) throws SQLException {
    Destination destination =
        new Destination(URI.create(url), null, Map.of(), ResponseRules.DEFAULT, TIMEOUT, Map.of())
            .with(WorkerBench.NO_CIRCUIT);
    QueueSettings settings = QueueSettings.of(false, WorkerBench.QUICK).to(destination);
    var _ = queues.putDestination(name, settings, Bench.ACT, _ -> {});
  }

  private String goodUrl(int merchant) {
    return "http://127.2.0.%s:%s/".formatted(1 + merchant, good.getAddress().getPort());
  }

  private static String bad(BadMerchants.Kind kind) {
    return "bad-" + kind.name().toLowerCase(Locale.ROOT);
  }

  /** Notes when attempts of the good ones' jobs start. */
  private final class Timed implements Handler {
    @Override
    public Duration timeout() {
      return http.timeout();
    }

    @Override
    public Duration shortestRetry() {
      return http.shortestRetry();
    }

    @Override
    public Outcome run(JobContext context) throws InterruptedException {
      long now = System.nanoTime();
      Matcher number = NUMBER.matcher(context.job().payload());
      if (number.find()) {
        Integer of = Integer.valueOf(number.group(1));
        delays.putIfAbsent(of, (now - submittedNanos.getOrDefault(of, 0L)) / 1e6);
      }
      return http.run(context);
    }
  }

  /**
   * Has the good ones' jobs come evenly, and answers how late the attempt started that started
   * later than 99 of 100, in milliseconds.
   *
   * @param beside whether jobs of the bad ones come as well
   */
  double p99(boolean beside) throws Exception {
    submittedNanos.clear();
    delays.clear();
    if (beside) {
      submitBadJobs();
    }
    submitGoodJobs();
    Await.until("all have started", () -> delays.size() == JOBS);
    Await.until("all have ended", () -> bench.count("ebb.job") == 0);
    List<Double> sorted = delays.values().stream().sorted().toList();
    return sorted.get(JOBS * 99 / 100 - 1);
  }

  /** Each at its time, so that a slow commit holds up no other. */
  private void submitGoodJobs() {
    try (ScheduledExecutorService submitters = Executors.newScheduledThreadPool(SUBMITTERS)) {
      for (int i = 0; i < JOBS; i++) {
        int number = i;
        long at = LEAD.plus(EVERY.multipliedBy(i)).toMillis();
        var _ = submitters.schedule(() -> submitGood(number), at, TimeUnit.MILLISECONDS);
      }
    }
  }

  private boolean submitGood(int number) throws SQLException {
    int merchant = number % MERCHANTS;
    NewJob job = job("good-" + merchant, goodUrl(merchant), number, null);
    submittedNanos.put(number, System.nanoTime());
    submitter.submit(job);
    return true;
  }

  private void submitBadJobs() throws SQLException {
    Instant start = Instant.now();
    for (BadMerchants.Kind kind : BadMerchants.Kind.values()) {
      bench.jobs.submit(
          IntStream.range(0, BAD_JOBS)
              .mapToObj(i -> start.plus(BAD_EVERY.multipliedBy(i)))
              .map(at -> job(bad(kind), bad.url(kind), -1, at))
              .toList());
    }
  }

  private NewJob job(String queue, String url, int number, @Nullable Instant at) {
    String to = shareAQueue ? "\"url\":\"" + url + "\"," : "";
    return NewJob.builder(WorkerBench.KIND, "{" + to + "\"body\":" + number + "}")
        .queue(shareAQueue ? SHARED : queue)
        .maxAttempts(1)
        .runAt(at)
        .build();
  }

  @Override
  public void close() throws IOException {
    submitter.close();
    notifier.close();
    bad.close();
    bench.close();
    http.close();
    good.stop(0);
  }
}
