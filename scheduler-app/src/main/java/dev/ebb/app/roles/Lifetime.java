package dev.ebb.app.roles;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process has started, ended in the opposite order when it is told to stop: on SIGTERM and
 * Ctrl-C it drains and exits with 0. Told a second time, it drains no longer than it must.
 */
public final class Lifetime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger exitCode = new AtomicInteger();
  private final AtomicBoolean toldToStop = new AtomicBoolean();
  private final List<Runnable> hurries = new CopyOnWriteArrayList<>();
  private boolean closed;

  /** A lifetime that ends with the process. */
  public static Lifetime ofProcess() {
    Lifetime lifetime = new Lifetime();
    Runtime.getRuntime().addShutdownHook(new Thread(lifetime::endProcess, "shutdown"));
    Signals.onStop(lifetime::toldToStop);
    return lifetime;
  }

  /** Adds a part that has just been started; where the end has come meanwhile, it is closed. */
  public synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    if (closed) {
      closeParts();
    }
    return part;
  }

  /** Adds what to do if the process is told to stop while it stops. */
  public void onHurry(Runnable hurry) {
    hurries.add(hurry);
  }

  /** Has the end, which is under way or comes, wait for nothing that it need not wait for. */
  public void hurry() {
    hurries.forEach(Runnable::run);
  }

  private void toldToStop() {
    if (toldToStop.compareAndSet(false, true)) {
      System.exit(0);
    } else {
      LOG.info("told to stop again: waits no longer than it must");
      hurry();
    }
  }

  /** Waits until the process is told to stop. */
  public void await() throws InterruptedException {
    ended.await();
  }

  /** The code with which the process exits, instead of 0. */
  public void exitWith(int code) {
    exitCode.set(code);
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeParts();
    ended.countDown();
  }

  private void closeParts() {
    while (!parts.isEmpty()) {
      close(parts.pop());
    }
  }

  /** Closes a part; one that fails keeps no other open. */
  static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception failed) {
      LOG.warn("{} did not close cleanly", part.getClass().getSimpleName(), failed);
    }
  }

  /**
   * A JVM that a signal ends would exit with 143, which says "killed" to the program that started
   * it.
   */
  private void endProcess() {
    close();
    Runtime.getRuntime().halt(exitCode.get());
  }
}
