package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.db.Await;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the threads are shared out. */
@Isolated("counts threads by their name")
class LookupSharesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Lookups lookups = new Lookups(this::resolve, Duration.ofMinutes(1), nanos::get);
  private final Map<String, CompletableFuture<Boolean>> begun = new ConcurrentHashMap<>();

  @AfterEach
  void end() {
    over.countDown();
  }

  @Test
  void a_domain_that_never_answered_gets_few() {
    assertThat(held("merchant.example")).isEqualTo(Lookups.UNPROVEN);
  }

  @Test
  void one_that_answered_gets_no_more_than_a_third_and_the_next_a_third_of_the_rest()
      throws Exception {
    answered("a.example");
    answered("b.example");

    assertThat(held("a.example")).isEqualTo(22);
    assertThat(held("b.example")).isEqualTo(14);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 20})
  void silent_domains_leave_threads_to_the_next(int domains) {
    for (int i = 0; i < domains; i++) {
      held("silent" + i + ".example");
    }

    assertThat(starts("merchant.example")).isTrue();
  }

  @Test
  void however_many_are_silent_one_that_answered_lately_gets_a_thread() throws Exception {
    answered("merchant.example");
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      held += held("silent" + i + ".example");
    }

    assertThat(held).isEqualTo(Lookups.THREADS - Lookups.KEPT);
    assertThat(starts("silent.merchant.example")).isTrue();
    assertThat(starts("gives-up.merchant.example")).isTrue();
    int left = held + 1;
    Await.until("it gave up", () -> LookupsTest.threads() == left);
    assertThat(starts("next.merchant.example")).isFalse();
  }

  @Test
  void one_that_falls_silent_gets_few_while_the_resolver_still_hangs() throws Exception {
    Lookups impatient = new Lookups(this::resolve, Duration.ofMillis(5), nanos::get);
    Await.until("it answers", () -> answers(impatient, "up.merchant.example"));

    for (int i = 0; i < Lookups.UNPROVEN; i++) {
      assertThat(answers(impatient, "silent" + i + ".merchant.example")).isFalse();
    }

    assertThatThrownBy(() -> answers(impatient, "next.merchant.example"))
        .isInstanceOf(Lookups.NoThread.class);
  }

  @Test
  void there_are_never_more_threads_than_that() throws Exception {
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      answered("m" + i + ".example");
    }
    for (int i = 0; i < 1_000; i++) {
      held += held("m" + i + ".example");
    }

    assertThat(held).isEqualTo(Lookups.THREADS);
  }

  @Test
  void a_look_up_that_ends_gives_its_thread_back() throws Exception {
    for (int i = 0; i < 100; i++) {
      String name = "up" + i + ".merchant.example";
      Await.until("there is a thread", () -> starts(name));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "merchant.example, merchant.example",
    "a.b.Merchant.example, merchant.example",
    "a.merchant.co.uk, merchant.co.uk",
    "a.merchant.com.cn, merchant.com.cn",
    "a.shop.example.cn, example.cn",
    "a.shop.myshopify.com, shop.myshopify.com",
    "co.uk, co.uk",
    "localhost, localhost",
    "db.prod.svc.cluster.local, cluster.local"
  })
  void a_domain_is_what_one_owner_registers(String name, String domain) {
    assertThat(Lookups.domain(name)).isEqualTo(domain);
  }

  private int held(String domain) {
    int held = 0;
    while (starts("silent" + held + "." + domain)) {
      held++;
    }
    return held;
  }

  private void answered(String domain) throws Exception {
    Await.until("it answers", () -> answers("up." + domain));
  }

  private boolean answers(String name) throws Lookups.NoThread {
    return answers(lookups, name);
  }

  private static boolean answers(Lookups lookups, String name) throws Lookups.NoThread {
    try {
      return !lookups.addresses(name).isEmpty();
    } catch (Lookups.Silent _) {
      return false;
    }
  }

  private boolean starts(String name) {
    CompletableFuture<Boolean> starts = new CompletableFuture<>();
    begun.put(name, starts);
    Thread.startVirtualThread(() -> {
      try {
        answers(name);
        starts.complete(true);
      } catch (Lookups.NoThread _) {
        starts.complete(false);
      }
    });
    return starts.join();
  }

  private InetAddress[] resolve(String name) throws UnknownHostException {
    begun.computeIfAbsent(name, _ -> new CompletableFuture<>()).complete(true);
    if (name.startsWith("gives-up")) {
      nanos.addAndGet(Lookups.GAVE_UP.toNanos());
      throw new UnknownHostException(name);
    }
    if (!name.startsWith("up")) {
      LookupsTest.awaitTheEnd(over);
    }
    return new InetAddress[] {InetAddress.getLoopbackAddress()};
  }
}
