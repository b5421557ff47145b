package dev.ebb.api.system;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Whether requests can be served: the database answers within two seconds, Ebb's schema is there,
 * and whatever this is a part of has started. However many ask, at most one check is under way, so
 * that probes leave a database in trouble its connections.
 */
final class Readiness {
  private static final long PATIENCE_SECONDS = 2;

  private final Queues queues;
  private final BooleanSupplier started;
  private CompletableFuture<Boolean> underWay = CompletableFuture.completedFuture(false);

  Readiness(Queues queues, BooleanSupplier started) {
    this.queues = queues;
    this.started = started;
  }

  boolean isReady() {
    return started.getAsBoolean()
        && check().copy().completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  private synchronized CompletableFuture<Boolean> check() {
    if (underWay.isDone()) {
      underWay = CompletableFuture.supplyAsync(this::answers, Thread::startVirtualThread);
    }
    return underWay;
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
