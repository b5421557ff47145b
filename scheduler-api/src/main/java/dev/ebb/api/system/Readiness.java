package dev.ebb.api.system;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests can be served: the database answers, Ebb's schema is there, and whatever this is
 * a part of has started. However many ask, at most one check is under way, so that probes add
 * nothing to a database in trouble.
 */
final class Readiness {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Queues queues;
  private final BooleanSupplier started;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable CompletableFuture<Boolean> underWay;

  Readiness(Queues queues, BooleanSupplier started) {
    this.queues = queues;
    this.started = started;
  }

  boolean isReady() throws InterruptedException {
    return started.getAsBoolean() && isServed();
  }

  private boolean isServed() throws InterruptedException {
    try {
      return check().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private CompletableFuture<Boolean> check() {
    lock.lock();
    try {
      CompletableFuture<Boolean> current = underWay;
      if (current == null || current.isDone()) {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        Thread.ofVirtual().name("ebb-readiness").start(() -> begun.complete(answers()));
        underWay = begun;
        return begun;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  private boolean answers() {
    try {
      queues.find(NewJob.DEFAULT_QUEUE);
      return true;
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }
}
