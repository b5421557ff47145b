package dev.ebb.worker;

import java.util.concurrent.CountDownLatch;

/**
 * A thread that keeps the process alive until it is ended: the other threads of a worker are
 * daemons, so that none of them may hold up the end of a process by itself.
 */
final class KeepAlive {
  private final CountDownLatch ended = new CountDownLatch(1);

  void start() {
    Thread.ofPlatform().name("ebb-worker").daemon(false).start(this::await);
  }

  private void await() {
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        // Somebody interrupts every thread that is found; the worker goes on, and so does this.
      }
    }
  }

  void end() {
    ended.countDown();
  }
}
