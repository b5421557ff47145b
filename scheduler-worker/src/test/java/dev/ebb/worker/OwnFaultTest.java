package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.worker.OwnFault.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OwnFaultTest {
  private final AtomicLong clock = new AtomicLong();
  private final OwnFault fault = new OwnFault(clock::get);

  private void ended(int from, int to, boolean unreached) {
    for (int destination = from; destination < to; destination++) {
      clock.addAndGet(Duration.ofSeconds(1).toNanos() / 10);
      fault.ended("merchant-" + destination, unreached);
    }
  }

  @Test
  void many_destinations_that_fail_alike_are_this_nodes_own_fault() {
    ended(0, 99, true);
    ended(99, 100, false);

    assertThat(fault.verdict()).isEqualTo(Verdict.OWN);
  }

  @Test
  void all_that_are_lost_in_one_instant_are_this_nodes_own_fault() {
    ended(0, 100, false);
    for (int call = 0; call < 3; call++) {
      for (int destination = 0; destination < 100; destination++) {
        fault.ended("merchant-" + destination, true);
      }
      clock.addAndGet(Duration.ofMillis(60).toNanos());
    }

    assertThat(fault.verdict()).isEqualTo(Verdict.OWN);
  }

  @Test
  void it_is_known_two_seconds_after_the_first_of_a_thousand_fell_silent() {
    for (int destination = 0; destination < 1_000; destination++) {
      fault.ended("merchant-" + destination, false);
    }
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    callForTwoSeconds(1_000);

    assertThat(fault.verdict()).isEqualTo(Verdict.OWN);
  }

  @Test
  void until_then_it_is_unclear_and_then_not_if_others_answer() {
    ended(0, 100, false);
    for (int destination = 0; destination < 5; destination++) {
      fault.ended("merchant-" + destination, true);
    }
    clock.addAndGet(Duration.ofMillis(100).toNanos());
    fault.ended("merchant-5", true);
    assertThat(fault.verdict()).isEqualTo(Verdict.UNCLEAR);

    ended(10, 20, false);
    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);
  }

  private void callForTwoSeconds(int destinations) {
    for (int call = 0; call <= 20; call++) {
      fault.ended("merchant-" + call * 7 % destinations, true);
      clock.addAndGet(Duration.ofMillis(100).toNanos());
    }
  }

  @Test
  void a_few_that_fail_among_others_are_not() {
    for (int destination = 0; destination < 40; destination += 2) {
      ended(destination, destination + 1, true);
      ended(destination + 1, destination + 2, false);
    }

    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);
  }

  @Test
  void four_destinations_may_all_be_down() {
    ended(0, 4, true);

    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);
  }

  @Test
  void it_is_over_when_they_answer_again_or_were_not_called_for_a_minute() {
    ended(0, 10, true);
    assertThat(fault.verdict()).isEqualTo(Verdict.OWN);

    ended(0, 10, false);
    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);

    ended(0, 10, true);
    clock.addAndGet(Duration.ofMinutes(2).toNanos());
    ended(20, 21, false);
    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);
  }

  @Test
  void it_is_not_told_any_longer_if_nothing_was_called_for_a_minute() {
    ended(0, 10, true);
    assertThat(fault.verdict()).isEqualTo(Verdict.OWN);

    clock.addAndGet(Duration.ofMinutes(2).toNanos());
    assertThat(fault.verdict()).isEqualTo(Verdict.DESTINATIONS);
  }
}
