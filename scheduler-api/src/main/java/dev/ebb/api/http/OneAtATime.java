package dev.ebb.api.http;

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
public final class OneAtATime {
  private final Semaphore turn = new Semaphore(1, true);
  private final Semaphore places;
  private final String what;
  private final Duration patience;

  /**
   * @param what is computed, in the plural; the threads' name and the refusals say it
   * @param patience how long one waits for its turn before it is refused
   * @param mostWaiting how many may wait at a time; one more is refused at once
   */
  public OneAtATime(String what, Duration patience, int mostWaiting) {
    this.what = what;
    this.patience = patience;
    this.places = new Semaphore(1 + mostWaiting);
  }

  /**
   * The work's value, or its exception.
   *
   * @throws Refusal if the others are too many, or take too long
   */
  public <T> T run(Callable<T> work) throws Exception {
    if (!places.tryAcquire()) {
      throw busy();
    }
    try {
      return runInTurn(work);
    } finally {
      places.release();
    }
  }

  private <T> T runInTurn(Callable<T> work) throws Exception {
    if (!turn.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw busy();
    }
    FutureTask<T> task = new FutureTask<>(() -> inTurn(work));
    try {
      Thread.ofPlatform().daemon().name("ebb-" + what).start(task);
    } catch (Error noThread) {
      turn.release();
      throw noThread;
    }
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

  private Refusal busy() {
    return Refusal.busy("Other " + what + " come first. Repeat the request.");
  }
}
