package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.worker.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the threads are shared out. */
class LookupThreadsTest {
  private final LookupThreads threads = new LookupThreads();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void end() {
    over.countDown();
  }

  @Test
  void a_domain_that_never_answered_gets_few() {
    assertThat(held("merchant.example")).isEqualTo(LookupThreads.UNPROVEN);
  }

  @Test
  void one_that_answered_gets_no_more_than_a_third_and_the_next_a_third_of_the_rest() {
    threads.answered("a.example");
    threads.answered("b.example");

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
  void however_many_are_silent_one_that_answered_lately_gets_a_thread() {
    threads.answered("merchant.example");
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      held += held("silent" + i + ".example");
    }

    assertThat(held).isEqualTo(LookupThreads.MOST - LookupThreads.KEPT);
    assertThat(starts("merchant.example")).isTrue();
    threads.fellSilent("merchant.example");
    assertThat(starts("merchant.example")).isFalse();
  }

  @Test
  void there_are_never_more_threads_than_that() {
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      threads.answered("m" + i + ".example");
      held += held("m" + i + ".example");
    }

    assertThat(held).isEqualTo(LookupThreads.MOST);
  }

  @Test
  void a_look_up_that_ends_gives_its_thread_back() throws Exception {
    CountDownLatch all = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      Await.until("there is a thread", () -> threads.start("merchant.example", all::countDown));
    }

    assertThat(all.await(1, TimeUnit.MINUTES)).isTrue();
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
    assertThat(LookupThreads.domain(name)).isEqualTo(domain);
  }

  private int held(String domain) {
    int held = 0;
    while (starts(domain)) {
      held++;
    }
    return held;
  }

  private boolean starts(String domain) {
    return threads.start(domain, () -> LookupsTest.awaitTheEnd(over));
  }
}
