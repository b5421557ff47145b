package dev.ebb.api.system;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests can be served: the database answers within two seconds, Ebb's schema is there,
 * and whatever this is a part of has started and works. However many ask, at most one check is
 * under way, so that probes leave a database in trouble its connections.
 */
final class Readiness {
  private static final long PATIENCE_SECONDS = 2;

  private final Queues queues;
  private final ProcessState standing;
  private CompletableFuture<Answer> underWay = CompletableFuture.completedFuture(Answer.SILENCE);

  /**
   * The database's.
   *
   * @param failure {@code null} for none
   * @param isThere whether there was one
   */
  private record Answer(boolean isThere, @Nullable SQLException failure) {
    static final Answer SILENCE = new Answer(false, null);
  }

  Readiness(Queues queues, ProcessState standing) {
    this.queues = queues;
    this.standing = standing;
  }

  /** Throws unless requests can be served, and work be done. */
  void require() {
    if (!standing.isStarted()) {
      throw Refusal.databaseUnavailable();
    }
    Answer answer = answer();
    if (answer.failure != null) {
      throw Refusal.databaseUnavailable(answer.failure);
    }
    if (!answer.isThere) {
      throw Refusal.databaseUnavailable();
    }
    String trouble = standing.trouble();
    if (trouble != null) {
      throw Refusal.passing(ProblemCode.NOT_READY, "The node is not working: " + trouble + ".", 2);
    }
  }

  private Answer answer() {
    return check()
        .copy()
        .completeOnTimeout(Answer.SILENCE, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  private synchronized CompletableFuture<Answer> check() {
    if (underWay.isDone()) {
      underWay = CompletableFuture.supplyAsync(this::ask, Thread::startVirtualThread);
    }
    return underWay;
  }

  private Answer ask() {
    try {
      queues.find(NewJob.DEFAULT_QUEUE);
      return new Answer(true, null);
    } catch (SQLException refused) {
      return new Answer(true, refused);
    } catch (RuntimeException e) {
      return Answer.SILENCE;
    }
  }
}
