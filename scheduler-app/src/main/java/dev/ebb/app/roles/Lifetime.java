package dev.ebb.app.roles;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process has started, ended in the opposite order when it is told to stop: on SIGTERM and
 * Ctrl-C it drains and exits with 0.
 */
public final class Lifetime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger exitCode = new AtomicInteger();
  private boolean closed;

  /** A lifetime that ends with the process. */
  public static Lifetime ofProcess() {
    Lifetime lifetime = new Lifetime();
    Runtime.getRuntime().addShutdownHook(new Thread(lifetime::endProcess, "shutdown"));
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
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception failed) {
        LOG.warn("{} did not close cleanly", part.getClass().getSimpleName(), failed);
      }
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
