package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.submit.Submitted;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A receiver that keeps silent, and the others. */
class HangingReceiverTest {
  private static final int CONCURRENCY = 8;

  @Test
  void a_hanging_receiver_behind_two_queues_leaves_a_healthy_one_its_slots() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    HttpServer server = server();
    server.createContext(
        "/hangs",
        exchange -> {
          hanging.incrementAndGet();
          awaitUninterrupted(over);
          exchange.sendResponseHeaders(200, -1);
        });
    server.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
    int port = server.getAddress().getPort();
    try (WorkerBench bench = new WorkerBench();
        HttpHandler handler =
            new HttpHandler(
                HttpHandlerConfig.defaults()
                    .withAllow("127.0.0.1:" + port)
                    .withTimeout(Duration.ofDays(1))
                    .withLongestTimeout(Duration.ofDays(1))
                    .withConcurrency(CONCURRENCY))) {
      List<NewJob> jobs = new ArrayList<>();
      for (int i = 0; i < 5 * CONCURRENCY; i++) {
        jobs.add(job("hanging-" + i % 2, "http://127.0.0.1:" + port + "/hangs"));
      }
      List<UUID> ids = bench.jobs.submit(jobs).stream().map(Submitted::id).toList();
      bench.start(WorkerBench.settings().withConcurrency(CONCURRENCY), handler);
      Await.until("its half hangs", () -> hanging.get() >= CONCURRENCY / 2);

      for (int i = 0; i < 5; i++) {
        UUID healthy = bench.submit(job("healthy", "http://localhost:" + port + "/"));
        bench.awaitState(healthy, JobState.COMPLETED);
      }
      assertThat(hanging).hasValue(CONCURRENCY / 2);
      over.countDown();
      for (UUID id : ids) {
        bench.awaitState(id, JobState.COMPLETED);
        assertThat(bench.view(id).attempt()).as("attempts spent").isEqualTo(1);
      }
    } finally {
      over.countDown();
      server.stop(0);
    }
  }

  private static NewJob job(String queue, String url) {
    return NewJob.builder(WorkerBench.KIND, "{\"url\":\"" + url + "\"}").queue(queue).build();
  }

  private static HttpServer server() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  private static void awaitUninterrupted(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
