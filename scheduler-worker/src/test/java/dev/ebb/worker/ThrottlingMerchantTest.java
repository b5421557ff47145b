package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Two nodes that deliver by HTTP to a server that answers 200 to 50 calls in any second and 429 to
 * the rest, under a limit of 200.
 */
@Proof
class ThrottlingMerchantTest {
  private static final int TAKES_PER_SECOND = 50;
  private static final Duration SETTLING = Duration.ofSeconds(15);

  /** Some of the cycles in which it probes, is cut, and recovers. */
  private static final Duration MEASURED = Duration.ofSeconds(45);

  private static final RetryPolicy PATIENT =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ZERO, new Growth(Duration.ofSeconds(1), 2, Duration.ofSeconds(10))),
          1000);

  /** What came of the calls in the measured time. */
  private record Found(double acceptedPerSecond, double wasted) {}

  private static final class Throttling implements AutoCloseable {
    private final ArrayDeque<Long> window = new ArrayDeque<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final HttpServer server;

    Throttling() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::answer);
      server.start();
    }

    String address() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        exchange.sendResponseHeaders(takes() ? 200 : 429, -1);
      }
    }

    private synchronized boolean takes() {
      long now = System.nanoTime();
      while (!window.isEmpty() && now - window.element() >= 1_000_000_000L) {
        window.remove();
      }
      boolean takes = window.size() < TAKES_PER_SECOND;
      if (takes) {
        window.add(now);
      }
      (takes ? accepted : refused).incrementAndGet();
      return takes;
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static Found run(double throttleFactor, Duration settling, Duration measured)
      throws Exception {
    try (Throttling merchant = new Throttling();
        WorkerBench one = new WorkerBench();
        WorkerBench other = new WorkerBench(one.config);
        HttpHandler handler =
            new HttpHandler(HttpHandlerConfig.defaults().withAllow(merchant.address()))) {
      RateLimit limit = new RateLimit(200, Duration.ZERO, 1, throttleFactor);
      new Queues(one.database)
          .put(
              NewJob.DEFAULT_QUEUE,
              new QueueSettings(false, PATIENT, limit, null),
              true,
              Bench.ACT);
      NewJob job =
          NewJob.of(WorkerBench.KIND, "{\"url\":\"http://%s/\"}".formatted(merchant.address()));
      for (int i = 0; i < 10; i++) {
        one.jobs.submit(Collections.nCopies(1_000, job));
      }
      one.start(handler);
      other.start(handler);
      awaitFor(settling);
      int accepted = merchant.accepted.get();
      int refused = merchant.refused.get();
      long start = System.nanoTime();
      awaitFor(measured);
      accepted = merchant.accepted.get() - accepted;
      refused = merchant.refused.get() - refused;
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Found(accepted / seconds, (double) refused / (accepted + refused));
    }
  }

  private static void awaitFor(Duration length) throws Exception {
    long end = System.nanoTime() + length.toNanos();
    Await.until("the time is over", length.multipliedBy(2), () -> System.nanoTime() - end > 0);
  }

  @Test
  void the_rate_converges_to_what_the_merchant_takes_and_wastes_less_than_a_tenth()
      throws Exception {
    Judged.holds(
        "the rate at a merchant that throttles",
        TestPostgres.shared().config("postgres"),
        _ -> {
          Found found = run(0.5, SETTLING, MEASURED);
          System.out.println("a merchant that takes 50 a second: " + found);
          return Judged.missed(() -> {
            assertThat(found.acceptedPerSecond).isGreaterThanOrEqualTo(40);
            assertThat(found.wasted).isLessThan(0.1);
          });
        });
  }

  @Test
  void control_with_the_loop_off_more_than_half_of_the_calls_are_wasted() throws Exception {
    assertThat(run(1, Duration.ofSeconds(2), Duration.ofSeconds(8)).wasted).isGreaterThan(0.5);
  }
}
