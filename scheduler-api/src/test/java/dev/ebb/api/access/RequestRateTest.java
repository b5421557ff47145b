package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.RequestRate.Quota;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often callers may ask. */
class RequestRateTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND);

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 60, 6_000})
  void a_minute_has_as_many_requests_as_the_quota_says(int perMinute) {
    RequestRate rate = new RequestRate(perMinute, clock::get);

    assertThat(allowed(rate, "a", perMinute * 2)).isEqualTo(perMinute);
    clock.addAndGet(60 * SECOND);
    assertThat(allowed(rate, "a", perMinute * 2)).isEqualTo(perMinute);
  }

  @Test
  void what_is_used_up_comes_back_evenly() {
    RequestRate rate = new RequestRate(60, clock::get);
    allowed(rate, "a", 60);

    Quota refused = rate.take("a");
    assertThat(refused).isEqualTo(new Quota(false, 0, 1));
    clock.addAndGet(refused.seconds() * SECOND);

    assertThat(allowed(rate, "a", 5)).isEqualTo(1);
  }

  @Test
  void an_answer_says_what_is_left_and_when_all_is_there_again() {
    RequestRate rate = new RequestRate(60, clock::get);

    assertThat(rate.take("a")).isEqualTo(new Quota(true, 59, 1));
    assertThat(rate.take("a")).isEqualTo(new Quota(true, 58, 2));
  }

  @Test
  void each_caller_has_a_quota_of_its_own() {
    RequestRate rate = new RequestRate(3, clock::get);

    assertThat(allowed(rate, "a", 9)).isEqualTo(3);
    assertThat(allowed(rate, "b", 9)).isEqualTo(3);
  }

  @Test
  void a_refused_request_costs_nothing() {
    RequestRate rate = new RequestRate(60, clock::get);
    allowed(rate, "a", 1_000);
    clock.addAndGet(10 * SECOND);

    assertThat(allowed(rate, "a", 1_000)).isEqualTo(10);
  }

  @Test
  void callers_at_the_same_time_share_one_quota() throws InterruptedException {
    RequestRate rate = new RequestRate(1_000, clock::get);
    AtomicInteger allowed = new AtomicInteger();
    Thread[] threads =
        IntStream.range(0, 8)
            .mapToObj(
                _ -> Thread.ofPlatform().start(() -> allowed.addAndGet(allowed(rate, "a", 500))))
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(allowed).hasValue(1_000);
  }

  @Test
  void those_who_have_all_their_quota_are_forgotten() {
    RequestRate rate = new RequestRate(60, clock::get);
    IntStream.range(0, 20_000).forEach(i -> rate.take("early " + i));
    clock.addAndGet(60 * SECOND);

    rate.take("late");

    assertThat(rate.callers()).isOne();
  }

  @Test
  void a_sender_has_one_quota_however_many_addresses_of_its_network_it_uses() {
    RequestRate rate = new RequestRate(1, clock::get);

    assertThat(rate.take(Callers.sender("2001:db8:0:1::1")).allowed()).isTrue();
    assertThat(rate.take(Callers.sender("2001:db8:0:1:ffff::2")).allowed()).isFalse();
    assertThat(rate.take(Callers.sender("2001:db8:0:2::1")).allowed()).isTrue();
    assertThat(rate.take(Callers.sender("192.0.2.1")).allowed()).isTrue();
    assertThat(rate.take(Callers.sender("192.0.2.2")).allowed()).isTrue();
  }

  private static int allowed(RequestRate rate, String caller, int requests) {
    return (int) IntStream.range(0, requests).filter(_ -> rate.take(caller).allowed()).count();
  }
}
