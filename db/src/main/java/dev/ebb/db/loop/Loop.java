package dev.ebb.db.loop;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A background loop that survives a lost database: it says so, tries again with growing pauses, and
 * says when it is back.
 *
 * <p>It runs on a platform thread. Handlers that compute may keep every carrier of the virtual
 * threads busy, and a lease must be renewed all the same.
 */
public final class Loop implements AutoCloseable {
  /** What the loop does again and again. */
  @FunctionalInterface
  public interface Step {
    /** Does it once, and answers how long to wait for the next time or for {@link #wake}. */
    Duration run() throws SQLException, InterruptedException;
  }

  private final String name;
  private final Step step;
  private final FailureLog failureLog;
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;
  private volatile boolean stopped;
  private int failures;
  private volatile @Nullable Throwable failure;

  /** A loop that does not run before {@link #start}. */
  public Loop(String name, FailureLog failureLog, Step step) {
    this.name = name;
    this.failureLog = failureLog;
    this.step = step;
    this.thread = Thread.ofPlatform().name("ebb-" + name).daemon().unstarted(this::run);
  }

  /** Starts it; to be called once. */
  public void start() {
    thread.start();
  }

  /** Ends a wait, this one or the next. */
  public void wake() {
    if (wakeUps.availablePermits() == 0) {
      wakeUps.release();
    }
  }

  /** Whether it runs and its last step succeeded. */
  public boolean isHealthy() {
    return trouble() == null;
  }

  /** What is wrong with it, for people; {@code null} if it runs and its last step succeeded. */
  public @Nullable String trouble() {
    Throwable failed = failure;
    if (failed == null) {
      return thread.isAlive() ? null : "the " + name + " does not run";
    }
    return "the " + name + " fails: " + FailureLog.words(failed);
  }

  private void run() {
    try {
      while (!stopped) {
        Duration pause = runOnce();
        wakeUps.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        wakeUps.drainPermits();
      }
    } catch (InterruptedException e) {
      // Closed while it waited.
    }
  }

  private Duration runOnce() throws InterruptedException {
    try {
      Duration pause = step.run();
      failures = 0;
      failure = null;
      failureLog.recovered(name, "");
      return pause;
    } catch (SQLException | RuntimeException | Error e) {
      if (stopped) {
        return Duration.ZERO;
      }
      // An error too: without this loop the node would be worse off than with it.
      failures++;
      failure = e;
      failureLog.failed(name, "", e);
      return Pause.length(failures);
    }
  }

  /** Has it stop after the step that is under way, without a wait for that. */
  public void stop() {
    stopped = true;
    wake();
  }

  /** Stops after the step that is under way, and waits for that; one that never ran stays so. */
  @Override
  public void close() {
    stop();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
