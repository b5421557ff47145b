package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs what only computes, one at a time, on a thread of the operating system. The few carriers of
 * virtual threads stay free for requests that mostly wait: a virtual thread that computes gives its
 * carrier to nobody.
 */
public final class OneAtATime {
  private final ThreadPoolExecutor thread;
  private final String what;

  /**
   * @param what is computed, in the plural; the thread's name and the refusals say it
   * @param mostWaiting how many may wait at a time, at least one; one more is refused at once
   */
  public OneAtATime(String what, int mostWaiting) {
    this.what = what;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(mostWaiting),
            Thread.ofPlatform().daemon().name("ebb-" + what).factory());
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * The work's value, or its exception.
   *
   * @throws Refusal if too many come first
   */
  public <T> T run(Callable<T> work) throws Exception {
    try {
      return thread.submit(work).get();
    } catch (RejectedExecutionException full) {
      throw Refusal.busy("Too many " + what + " in progress. Try again.");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
