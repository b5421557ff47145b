package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.problem.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  private final OneAtATime turns = new OneAtATime("sums", Duration.ofMillis(20), 1);

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
  void as_many_as_may_wait_are_served_in_turn_and_one_more_is_refused_at_once() throws Exception {
    OneAtATime patient = new OneAtATime("sums", Duration.ofMinutes(10), 2);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger underWay = new AtomicInteger();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletionService<Integer> answers = new ExecutorCompletionService<>(callers);
      for (int i = 0; i < 4; i++) {
        answers.submit(() ->
            patient.run(() -> {
              int now = underWay.incrementAndGet();
              mayEnd.await();
              underWay.decrementAndGet();
              return now;
            }));
      }

      assertThatThrownBy(() -> answers.take().get()).hasCauseInstanceOf(Refusal.class);
      mayEnd.countDown();
      for (int i = 0; i < 3; i++) {
        assertThat(answers.take().get()).as("under way at a time").isEqualTo(1);
      }
    }
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
