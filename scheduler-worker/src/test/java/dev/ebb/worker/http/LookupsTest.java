package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.db.Await;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What is remembered of names. */
@Isolated("counts threads by their name")
class LookupsTest {
  private static final Duration INSTANT = Duration.ofNanos(1);
  private static final List<InetAddress> LOOPBACK = List.of(InetAddress.ofLiteral("127.0.0.1"));

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void end() {
    over.countDown();
  }

  @Test
  void a_good_answer_is_remembered_for_30_s() throws Exception {
    Lookups lookups = lookups(_ -> answer(1));

    assertThat(lookups.addresses("merchant.example")).isEqualTo(LOOPBACK);
    tick(Lookups.REMEMBERED.minus(INSTANT));
    assertThat(lookups.addresses("Merchant.Example")).isEqualTo(LOOPBACK);
    assertThat(asked).hasValue(1);
    tick(INSTANT);
    lookups.addresses("merchant.example");
    assertThat(asked).hasValue(2);
  }

  @Test
  void those_who_ask_for_a_name_at_a_time_share_one_look_up() throws Exception {
    Lookups lookups = lookups(_ -> afterTheEnd());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<InetAddress>>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(threads.submit(() -> lookups.addresses("merchant.example")));
      }
      Await.until("one asks", () -> asked.get() == 1);
      over.countDown();
      for (Future<List<InetAddress>> answer : answers) {
        assertThat(answer.get()).isEqualTo(LOOPBACK);
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void a_silent_name_is_refused_at_once_until_10_s_after_its_look_up_ended() throws Exception {
    Lookups lookups = lookups(Duration.ofMillis(50), LookupsTest.this::failsAfterTheEnd);

    assertSilent(lookups);
    tick(Duration.ofDays(1));
    assertSilent(lookups);
    over.countDown();
    Await.until("its look-up ended", () -> threads() == 0);
    tick(Lookups.SILENT.minus(INSTANT));
    assertSilent(lookups);
    assertThat(asked).hasValue(1);
    tick(INSTANT);
    assertThat(lookups.addresses("merchant.example")).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void a_resolver_that_gave_up_means_a_silent_name() throws Exception {
    Lookups lookups =
        lookups(host -> {
          tick(Lookups.GAVE_UP);
          throw new UnknownHostException(host);
        });

    assertSilent(lookups);
    assertSilent(lookups);
    assertThat(asked).hasValue(1);
  }

  @Test
  void an_answer_that_comes_too_late_is_there_for_those_who_ask_again() throws Exception {
    Lookups lookups = lookups(Duration.ofMillis(50), _ -> afterTheEnd());

    assertSilent(lookups);
    over.countDown();
    Await.until("its look-up ended", () -> threads() == 0);
    assertThat(lookups.addresses("merchant.example")).isEqualTo(LOOPBACK);
    assertThat(asked).hasValue(1);
  }

  @Test
  void a_name_that_does_not_exist_is_asked_for_again_and_gives_its_thread_back() throws Exception {
    Lookups lookups =
        lookups(host -> {
          if (host.startsWith("defect")) {
            throw new IllegalStateException(host);
          }
          throw new UnknownHostException(host);
        });

    for (int i = 0; i < 2 * Lookups.THREADS; i++) {
      String host = (i % 2 == 0 ? "no" : "defect") + ".example";
      assertThat(lookups.addresses(host)).isEmpty();
    }
    assertThat(asked).hasValue(2 * Lookups.THREADS);
  }

  @Test
  void the_name_that_was_longest_unused_is_forgotten_when_there_are_too_many() {
    LruMap<Integer> names = new LruMap<>();
    for (int i = 0; i < LruMap.MOST; i++) {
      names.put("n" + i, i);
    }
    assertThat(names.get("n0")).isZero();
    names.put("new", 0);

    assertThat(names).hasSize(LruMap.MOST).containsKeys("n0", "new").doesNotContainKey("n1");
  }

  @Test
  void an_answer_with_very_many_addresses_is_not_remembered() throws Exception {
    Lookups lookups = lookups(_ -> answer(Lookups.MOST_ADDRESSES + 1));

    assertThat(lookups.addresses("merchant.example")).hasSize(Lookups.MOST_ADDRESSES + 1);
    lookups.addresses("merchant.example");
    assertThat(asked).hasValue(2);
  }

  private static void assertSilent(Lookups lookups) {
    assertThatThrownBy(() -> lookups.addresses("merchant.example"))
        .isInstanceOf(Lookups.Silent.class);
  }

  /** How many look-ups are under way. */
  static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("ebb-dns"))
        .count();
  }

  private void tick(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Lookups lookups(Lookups.Resolver resolver) {
    return lookups(Duration.ofMinutes(1), resolver);
  }

  private Lookups lookups(Duration patience, Lookups.Resolver resolver) {
    return new Lookups(
        host -> {
          asked.incrementAndGet();
          return resolver.addresses(host);
        },
        patience,
        nanos::get);
  }

  private InetAddress[] afterTheEnd() {
    awaitTheEnd(over);
    return answer(1);
  }

  private InetAddress[] failsAfterTheEnd(String host) throws UnknownHostException {
    awaitTheEnd(over);
    throw new UnknownHostException(host);
  }

  /** Knows no interrupts, as the operating system's resolver. */
  static void awaitTheEnd(CountDownLatch over) {
    while (true) {
      try {
        over.await();
        return;
      } catch (InterruptedException _) {
        // Goes on.
      }
    }
  }

  private static InetAddress[] answer(int addresses) {
    InetAddress[] answer = new InetAddress[addresses];
    Arrays.fill(answer, LOOPBACK.getFirst());
    return answer;
  }
}
