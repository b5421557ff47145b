package dev.ebb.db.loop;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A background loop that survives a lost database: it says so, tries again with growing pauses, and
 * says when it is back. A turn that takes longer than {@link #LONGEST_TURN} hangs: that is said
 * once, with what holds its thread, and the loop is not healthy meanwhile.
 *
 * <p>It runs on a platform thread. Handlers that compute may keep every carrier of the virtual
 * threads busy, and a lease must be renewed all the same.
 */
public final class Loop implements Watched, AutoCloseable {
  /** What the loop does again and again. */
  @FunctionalInterface
  public interface Step {
    /** Does it once, and answers how long to wait for the next time or for {@link #wake}. */
    Duration run() throws SQLException, InterruptedException;
  }

  /**
   * More than any transaction may take, and less than the failures of others take to be repeated.
   */
  static final Duration LONGEST_TURN = Duration.ofSeconds(30);

  /** A turn that is under way. */
  private record Turn(long startedNanos) {
    Duration age() {
      return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    boolean hangs(Duration longest) {
      return age().compareTo(longest) > 0;
    }
  }

  private final String name;
  private final Step step;
  private final FailureLog failureLog;
  private final Duration longestTurn;
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread;
  private volatile boolean stopped;
  private int failures;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Turn turn;
  private volatile @Nullable Turn told;

  /** A loop that does not run before {@link #start}. */
  public Loop(String name, FailureLog failureLog, Step step) {
    this(name, failureLog, step, LONGEST_TURN);
  }

  /** One whose turns may take no longer than this, for tests. */
  Loop(String name, FailureLog failureLog, Step step, Duration longestTurn) {
    this.longestTurn = longestTurn;
    this.name = name;
    this.failureLog = failureLog;
    failureLog.watch(name);
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

  /** Whether it runs, its last step succeeded, and the one that is under way does not hang. */
  public boolean isHealthy() {
    return trouble() == null;
  }

  /** What is wrong with it, for people; {@code null} if {@link #isHealthy()}. */
  public @Nullable String trouble() {
    if (!thread.isAlive()) {
      return "the " + name + " does not run";
    }
    Turn now = turn;
    if (now != null && now.hangs(longestTurn)) {
      return "the " + name + " hangs";
    }
    return failure();
  }

  /** What its last turn failed at, for people; {@code null} for nothing. */
  public @Nullable String failure() {
    Throwable failed = failure;
    return failed == null ? null : "the " + name + " fails: " + FailureLog.words(failed);
  }

  @Override
  public void look() {
    Turn now = turn;
    if (now != null && !now.equals(told) && now.hangs(longestTurn)) {
      told = now;
      failureLog.hangs(name, now.age(), thread);
    }
  }

  private void run() {
    LoopWatch.add(this);
    try {
      while (!stopped) {
        Duration pause = turn();
        wakeUps.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        wakeUps.drainPermits();
      }
    } catch (InterruptedException e) {
      // Closed while it waited.
    } finally {
      LoopWatch.remove(this);
    }
  }

  private Duration turn() throws InterruptedException {
    Turn begun = new Turn(System.nanoTime());
    turn = begun;
    try {
      return runOnce();
    } finally {
      turn = null;
      if (begun.equals(told)) {
        failureLog.cameRound(name, begun.age());
      }
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
