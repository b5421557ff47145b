package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.problem.Refusal;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  private final OneAtATime turns = new OneAtATime("sums", 2);

  @Test
  void as_many_as_may_wait_are_served_in_turn_and_one_more_is_refused_at_once() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger underWay = new AtomicInteger();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletionService<Integer> answers = new ExecutorCompletionService<>(callers);
      for (int i = 0; i < 4; i++) {
        answers.submit(() ->
            turns.run(() -> {
              int now = underWay.incrementAndGet();
              mayEnd.await();
              underWay.decrementAndGet();
              return now;
            }));
      }

      assertThatThrownBy(() -> answers.take().get())
          .cause()
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.problem().code().status()).isEqualTo(503);
                assertThat(refusal.problem().headers()).containsEntry("Retry-After", "1");
              });
      mayEnd.countDown();
      for (int i = 0; i < 3; i++) {
        assertThat(answers.take().get()).as("under way at a time").isEqualTo(1);
      }
    }
    assertThat(turns.run(() -> "after")).isEqualTo("after");
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
