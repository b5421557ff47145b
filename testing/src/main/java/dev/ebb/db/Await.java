package dev.ebb.db;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition, looking at it often, and fails the test when it does not come. */
public final class Await {
  private Await() {}

  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(what, Duration.ofMinutes(2), condition);
  }

  public static void until(String what, Duration atMost, Callable<Boolean> condition)
      throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("within " + atMost + " it did not come to this: " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
