package dev.ebb.api.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.problem.Refusal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  private final OneAtATime turns = new OneAtATime(Duration.ofMillis(20));

  @Test
  void a_second_one_is_refused_while_the_first_computes_and_served_after() throws Exception {
    CountDownLatch computes = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> first =
          callers.submit(() ->
              turns.run(() -> {
                computes.countDown();
                mayEnd.await();
                return "first";
              }));
      computes.await();

      assertThatThrownBy(() -> turns.run(() -> "second"))
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.problem().code().status()).isEqualTo(503);
                assertThat(refusal.problem().headers()).containsEntry("Retry-After", "1");
              });
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo("first");
    }
    assertThat(turns.run(() -> "third")).isEqualTo("third");
  }

  @Test
  void it_computes_on_no_virtual_thread() throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(callers.submit(() -> turns.run(() -> Thread.currentThread().isVirtual())).get())
          .isFalse();
    }
  }

  @Test
  void an_exception_reaches_the_caller_and_ends_the_turn() throws Exception {
    assertThatThrownBy(() -> turns.run(() -> Integer.parseInt("x")))
        .isInstanceOf(NumberFormatException.class);
    assertThat(turns.run(() -> 7)).isEqualTo(7);
  }
}
