package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.Outcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slow names of one owner, and what they cost the others. */
class LookupsTest {
  private static final Duration TURN = Duration.ofMillis(100);

  private final CountDownLatch over = new CountDownLatch(1);
  private final Semaphore begun = new Semaphore(0);

  @AfterEach
  void end() {
    over.countDown();
  }

  @Test
  void a_domain_with_slow_names_leaves_threads_to_the_others() throws Exception {
    try (Lookups lookups = new Lookups(this::slowOrLoopback, TURN)) {
      begin(lookups, Lookups.PER_DOMAIN, _ -> "slow.example");

      assertThatThrownBy(() -> lookups.addresses("a.slow.example"))
          .isInstanceOf(Lookups.NoTurn.class);
      assertThat(lookups.addresses("merchant.test")).hasSize(1);
    }
  }

  @Test
  void a_look_up_that_finds_no_thread_never_begins() throws Exception {
    try (Lookups lookups = new Lookups(this::slowOrLoopback, TURN)) {
      begin(lookups, Lookups.THREADS, i -> "slow" + i + ".example");

      assertThatThrownBy(() -> lookups.addresses("merchant.test"))
          .isInstanceOf(Lookups.NoTurn.class);
      over.countDown();
      assertThat(eventually(lookups)).hasSize(1);
    }
  }

  @Test
  void failed_look_ups_give_their_turns_back() throws Exception {
    try (Lookups lookups =
        new Lookups(
            host -> {
              if (host.startsWith("no")) {
                throw new UnknownHostException(host);
              }
              if (host.startsWith("defect")) {
                throw new IllegalStateException(host);
              }
              return loopback();
            },
            TURN)) {
      for (int i = 0; i < 2 * Lookups.THREADS; i++) {
        String host = (i % 2 == 0 ? "no" : "defect") + ".example";
        assertThatThrownBy(() -> lookups.addresses(host))
            .isInstanceOf(UnknownHostException.class)
            .isNotInstanceOf(Lookups.NoTurn.class);
      }
      assertThat(lookups.addresses("merchant.example")).hasSize(1);
    }
  }

  @Test
  void a_delivery_whose_look_up_never_began_costs_no_attempt() throws Exception {
    try (Deliveries deliveries =
        new Deliveries(HttpHandlerConfig.defaults(), this::slowOrLoopback)) {
      occupy(deliveries, Lookups.PER_DOMAIN);

      assertThat(deliveries.deliver("http://b.slow.example/")).isInstanceOf(Outcome.NotReady.class);
      assertThat(deliveries.record().path("error").path("reason").stringValue())
          .isEqualTo("dns_busy");
      assertThat(reason(deliveries.deliver("http://merchant.test/"))).isEqualTo("address_refused");
    }
  }

  @Test
  void a_deadline_before_the_look_up_began_costs_no_attempt_either() throws Exception {
    Duration brief = Duration.ofMillis(200);
    try (Deliveries deliveries =
        new Deliveries(HttpHandlerConfig.defaults(), this::slowOrLoopback)) {
      assertThat(reason(deliveries.deliver("http://a.slow.example/", brief)))
          .as("it began")
          .isEqualTo("timeout");
      occupy(deliveries, Lookups.PER_DOMAIN - 1);

      assertThat(deliveries.deliver("http://b.slow.example/", brief))
          .isInstanceOf(Outcome.NotReady.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "merchant.example, merchant.example",
    "a.b.Merchant.example, merchant.example",
    "a.merchant.co.uk, merchant.co.uk",
    "a.merchant.com.cn, merchant.com.cn",
    "a.shop.example.cn, example.cn",
    "co.uk, co.uk",
    "localhost, localhost"
  })
  void names_of_one_owner_share_their_turns(String host, String domain) {
    assertThat(Lookups.domain(host)).isEqualTo(domain);
  }

  private void occupy(Deliveries deliveries, int count) throws InterruptedException {
    int before = begun.drainPermits();
    assertThat(before).isLessThanOrEqualTo(1);
    for (int i = 0; i < count; i++) {
      FakeContext context =
          new FakeContext(
              Deliveries.payload("http://n" + i + ".slow.example/"), 1, Duration.ofMinutes(1));
      Thread.ofVirtual().start(() -> endOf(deliveries, context));
    }
    assertThat(begun.tryAcquire(count, 10, TimeUnit.SECONDS)).isTrue();
  }

  private static void endOf(Deliveries deliveries, FakeContext context) {
    try {
      deliveries.handler.run(context);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(Lookups lookups, int count, java.util.function.IntFunction<String> domain)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      String host = "n" + i + "." + domain.apply(i);
      Thread.ofVirtual()
          .start(() -> {
            try {
              lookups.addresses(host);
            } catch (UnknownHostException _) {
              // The test counts how many began.
            }
          });
    }
    assertThat(begun.tryAcquire(count, 10, TimeUnit.SECONDS)).isTrue();
  }

  private static InetAddress[] eventually(Lookups lookups) throws UnknownHostException {
    for (int i = 0; i < 50; i++) {
      try {
        return lookups.addresses("merchant.test");
      } catch (Lookups.NoTurn _) {
        // Each has waited for its turn.
      }
    }
    return new InetAddress[0];
  }

  private InetAddress[] slowOrLoopback(String host) {
    if (!host.contains("slow")) {
      return loopback();
    }
    begun.release();
    while (true) {
      try {
        over.await();
        return loopback();
      } catch (InterruptedException _) {
        // Like the operating system's resolver, which knows no interrupts.
      }
    }
  }

  private static InetAddress[] loopback() {
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }
}
