package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A submission of one job in a {@link CommitBatcher}, and the thread that waits for its answer. */
final class PendingSubmit {
  private final Submission submission;
  private final int size;
  private final Thread caller = Thread.currentThread();
  private volatile @Nullable Answer answer;

  /**
   * Of the calling thread.
   *
   * @param size in the unit by which its batcher limits a batch
   */
  PendingSubmit(Submission submission, int size) {
    this.submission = submission;
    this.size = size;
  }

  /** The result of the submit. */
  sealed interface Answer {
    /** What was written is committed. */
    record Written(SubmitAnswer answer) implements Answer {}

    /** Its batch failed, perhaps after its commit. */
    record Failed(SQLException cause) implements Answer {}

    /** Its batch was refused whole because of one of its jobs, so that each has to go alone. */
    record Alone() implements Answer {}

    /** A transaction that has not ended holds its unique key. */
    record KeyLocked() implements Answer {}
  }

  Submission submission() {
    return submission;
  }

  NewJob job() {
    return submission.jobs().getFirst();
  }

  int size() {
    return size;
  }

  /** Wakes the caller; only the first answer counts. */
  void answer(Answer given) {
    if (answer == null) {
      answer = given;
      LockSupport.unpark(caller);
    }
  }

  /** Waits however often the thread is interrupted: it may be committed already. */
  Answer await() {
    boolean interrupted = false;
    Answer given = answer;
    while (given == null) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
      given = answer;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return given;
  }
}
