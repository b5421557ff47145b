package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deliveries to names whose name servers keep silent, and what they cost the others. */
class SilentNamesTest {
  private final CountDownLatch over = new CountDownLatch(1);
  private final Semaphore begun = new Semaphore(0);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deliveries deliveries =
      new Deliveries(HttpHandlerConfig.defaults().withAllow("127.0.0.1"), this::silentOrLoopback);

  @AfterEach
  void end() {
    over.countDown();
    threads.close();
    deliveries.close();
  }

  @Test
  void deliveries_to_silent_names_of_many_domains_do_not_hold_up_the_others() throws Exception {
    deliver(400, i -> "n" + i + ".silent" + i % 16 + ".example");

    try (Wire wire = Wire.answering(HttpHandlerTest.answer(200, ""))) {
      assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
      assertThat(deliveries.deliver("http://merchant.example:" + wire.port() + "/"))
          .isEqualTo(Outcome.completed());
    }
  }

  @Test
  void a_delivery_whose_look_up_got_no_thread_costs_no_attempt_and_is_soon_back() throws Exception {
    deliver(2 * Lookups.THREADS, i -> "silent" + i + ".example");

    assertThat(deliveries.deliver("http://merchant.example/"))
        .isInstanceOfSatisfying(
            Outcome.NotReady.class,
            later ->
                assertThat(later.delay()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(2)));
  }

  @Test
  void a_name_that_kept_silent_has_a_reason_of_its_own() {
    Outcome outcome = deliveries.deliver("http://silent.example/");

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(Deliveries.reason(outcome)).isEqualTo("dns_timeout");
  }

  /** Begins deliveries, and waits until each has asked for its name or given way. */
  private void deliver(int count, IntFunction<String> host) throws Exception {
    AtomicInteger gaveWay = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      String payload = Deliveries.payload("http://" + host.apply(i) + "/");
      FakeContext context = new FakeContext(payload, 1, Duration.ofMinutes(1));
      threads.execute(() -> {
        if (deliveries.run(context) instanceof Outcome.NotReady) {
          gaveWay.incrementAndGet();
        }
      });
    }
    Await.until("all try", () -> begun.availablePermits() + gaveWay.get() == count);
  }

  private InetAddress[] silentOrLoopback(String host) {
    if (host.contains("silent")) {
      begun.release();
      LookupsTest.awaitTheEnd(over);
    }
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }
}
