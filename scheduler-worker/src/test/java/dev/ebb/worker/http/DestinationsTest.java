package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of a node one destination may have. */
class DestinationsTest {
  private static final HttpHandlerConfig CONFIG =
      HttpHandlerConfig.defaults().withAllow("127.0.0.0/8, localhost");

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "500, 250"})
  void a_host_has_at_most_half_of_the_slots_and_at_least_one(int concurrency, int most)
      throws Exception {
    Destinations destinations = new Destinations(concurrency);

    for (int i = 0; i < most; i++) {
      assertThat(destinations.enter("merchant.example")).isTrue();
    }
    assertThat(destinations.enter("merchant.example")).isFalse();
    assertThat(destinations.enter("other.example")).isTrue();
    destinations.leave("merchant.example");
    assertThat(destinations.enter("merchant.example")).isTrue();
  }

  @Test
  void an_attempt_beyond_that_runs_as_soon_as_another_is_over() throws Exception {
    Destinations destinations = new Destinations(2, Duration.ofMinutes(1));
    destinations.enter("merchant.example");
    FutureTask<Boolean> next = new FutureTask<>(() -> destinations.enter("merchant.example"));
    Thread waiting = Thread.ofVirtual().start(next);
    Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    destinations.leave("merchant.example");

    assertThat(next.get()).isTrue();
    destinations.leave("merchant.example");
    assertThat(destinations.size()).isZero();
  }

  @Test
  void a_host_with_nothing_under_way_is_forgotten() throws Exception {
    Destinations destinations = new Destinations(4);
    for (int i = 0; i < 1_000; i++) {
      destinations.enter("m" + i + ".example");
      destinations.leave("m" + i + ".example");
    }

    assertThat(destinations.size()).isZero();
  }

  @Test
  void beyond_its_half_a_host_costs_no_attempt_whatever_its_port_and_its_case() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger arrived = new AtomicInteger();
    try (Wire hanging =
            new Wire((wire, socket) -> {
              wire.readRequest(socket);
              arrived.incrementAndGet();
              over.await();
              Wire.send(socket, HttpHandlerTest.answer(200, ""));
            });
        Wire other = Wire.answering(HttpHandlerTest.answer(200, ""));
        Deliveries deliveries = new Deliveries(CONFIG.withConcurrency(4));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Outcome>> held = new ArrayList<>();
      for (String host : List.of("localhost", "LOCALHOST")) {
        String payload = Deliveries.payload("http://" + host + ":" + hanging.port() + "/");
        FakeContext context = new FakeContext(payload, 1, Duration.ofMinutes(1));
        held.add(threads.submit(() -> deliveries.run(context)));
      }
      Await.until("both hang", () -> arrived.get() == 2);

      assertThat(deliveries.deliver("http://Localhost:" + other.port() + "/"))
          .isInstanceOfSatisfying(
              Outcome.NotReady.class,
              later ->
                  assertThat(later.delay())
                      .isBetween(Duration.ofMillis(500), Duration.ofMillis(1_500)));
      assertThat(deliveries.deliver(other.url())).isEqualTo(Outcome.completed());
      over.countDown();
      for (Future<Outcome> delivery : held) {
        assertThat(delivery.get()).isEqualTo(Outcome.completed());
      }
      assertThat(deliveries.deliver("http://localhost:" + other.port() + "/"))
          .isEqualTo(Outcome.completed());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 100_001})
  void a_concurrency_that_no_worker_has_is_refused(int concurrency) {
    assertThat(
            catchThrowableOfType(InvalidInput.class, () -> CONFIG.withConcurrency(concurrency))
                .field())
        .isEqualTo("concurrency");
  }
}
