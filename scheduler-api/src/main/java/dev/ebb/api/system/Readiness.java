package dev.ebb.api.system;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Whether requests can be served: the database answers within two seconds, Ebb's schema is there,
 * and whatever this is a part of has started and works. However many ask, at most one check is
 * under way, so that probes leave a database in trouble its connections.
 */
final class Readiness {
  private static final long PATIENCE_SECONDS = 2;

  private final Queues queues;
  private final Standing standing;
  private CompletableFuture<Boolean> underWay = CompletableFuture.completedFuture(false);

  Readiness(Queues queues, Standing standing) {
    this.queues = queues;
    this.standing = standing;
  }

  /** Throws unless requests can be served, and work be done. */
  void require() {
    if (!standing.isStarted() || !isAnswered()) {
      throw Refusal.databaseUnavailable();
    }
    String trouble = standing.trouble();
    if (trouble != null) {
      throw Refusal.passing(ProblemCode.NOT_READY, "The node does no work: " + trouble + ".", 2);
    }
  }

  private boolean isAnswered() {
    return check().copy().completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
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
