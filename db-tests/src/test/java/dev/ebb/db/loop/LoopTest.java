package dev.ebb.db.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class LoopTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FailureLog failureLog = new FailureLog(meters);
  private final List<Throwable> failures =
      new ArrayList<>(
          List.of(new SQLException("lost"), new IllegalStateException(), new StackOverflowError()));
  private final CompletableFuture<Thread> survived = new CompletableFuture<>();

  private Duration step() throws SQLException {
    if (!failures.isEmpty()) {
      switch (failures.removeFirst()) {
        case SQLException lost -> throw lost;
        case RuntimeException bug -> throw bug;
        case Error error -> throw error;
        case Throwable other -> throw new AssertionError(other);
      }
    }
    survived.complete(Thread.currentThread());
    return Duration.ofHours(1);
  }

  @Test
  void a_loop_survives_whatever_fails_counts_it_and_runs_on_a_platform_thread() throws Exception {
    try (Loop loop = new Loop("some", failureLog, this::step)) {
      loop.start();
      Thread thread = survived.get(1, TimeUnit.MINUTES);

      assertThat(thread.isVirtual()).isFalse();
      assertThat(meters.counter("ebb.failures", "part", "some").count()).isEqualTo(3);
    }
  }

  @Test
  void no_pause_after_a_failure_is_longer_than_two_seconds() {
    assertThat(Pause.length(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(Pause.length(1_000)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_loop_that_hangs_is_named_once_with_what_holds_it_and_is_not_healthy() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CompletableFuture<Thread> hanging = new CompletableFuture<>();
    Loop loop =
        new Loop(
            "stuck",
            failureLog,
            () -> {
              hanging.complete(Thread.currentThread());
              lock.lock();
              try {
                return Duration.ofHours(1);
              } finally {
                lock.unlock();
              }
            },
            Duration.ofMillis(1));
    Counter hung = meters.counter("ebb.failures", "part", "stuck");
    lock.lock();
    try {
      loop.start();
      Thread thread = hanging.get(1, TimeUnit.MINUTES);
      while (hung.count() == 0) {
        Thread.onSpinWait();
      }
      assertThat(loop.isHealthy()).isFalse();
      StackOf stack = Objects.requireNonNull(StackOf.thread(thread.threadId()));
      assertThat(stack).hasMessageContaining("ebb-stuck").hasStackTraceContaining("LoopTest");
      assertThat(stack.getCause()).hasMessageContaining(Thread.currentThread().getName());

      loop.look();
      assertThat(hung.count()).as("once for each turn").isEqualTo(1);
    } finally {
      lock.unlock();
      loop.close();
    }
  }

  @Test
  void a_wait_for_the_next_turn_is_no_turn() throws Exception {
    failures.clear();
    Counter hung = meters.counter("ebb.failures", "part", "idle");
    try (Loop loop = new Loop("idle", failureLog, this::step, Duration.ofNanos(1))) {
      loop.start();
      Thread thread = survived.get(1, TimeUnit.MINUTES);
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      double before = hung.count();
      loop.look();
      assertThat(loop.isHealthy()).isTrue();
      assertThat(hung.count()).isEqualTo(before);
    }
  }

  @Test
  void a_loop_that_is_stopped_no_longer_counts_what_fails() throws Exception {
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    Loop loop =
        new Loop(
            "stopped",
            failureLog,
            () -> {
              stopped.join();
              throw new SQLException("the pool is closed");
            });
    loop.start();
    loop.stop();
    stopped.complete(null);
    loop.close();

    assertThat(meters.counter("ebb.failures", "part", "stopped").count()).isZero();
  }
}
