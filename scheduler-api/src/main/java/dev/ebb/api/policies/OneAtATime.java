package dev.ebb.api.policies;

import dev.ebb.api.problem.Refusal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs what only computes, one at a time, on a thread of the operating system. The few carriers of
 * virtual threads stay free for requests that mostly wait: a virtual thread that computes gives its
 * carrier to nobody.
 */
final class OneAtATime {
  private final Semaphore turn = new Semaphore(1, true);
  private final Duration patience;

  /**
   * @param patience how long one waits for its turn before it is refused
   */
  OneAtATime(Duration patience) {
    this.patience = patience;
  }

  /**
   * The work's value, or its exception.
   *
   * @throws Refusal if the others take too long
   */
  <T> T run(Callable<T> work) throws Exception {
    if (!turn.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw Refusal.busy("Other previews are being computed. Repeat the request.");
    }
    FutureTask<T> task = new FutureTask<>(() -> inTurn(work));
    Thread.ofPlatform().daemon().name("ebb-preview").start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** The turn ends with the work, also where nobody waits for it any more. */
  private <T> T inTurn(Callable<T> work) throws Exception {
    try {
      return work.call();
    } finally {
      turn.release();
    }
  }
}
