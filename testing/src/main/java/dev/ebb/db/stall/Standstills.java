package dev.ebb.db.stall;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * When this machine stood still, as one thread sees it: it sleeps for {@value #TICK_MILLIS} ms and
 * notes how late it wakes. A process that is stopped, and one that gets no processor, look alike.
 */
final class Standstills {
  /** A thread that wakes as late waits for a processor, and so does all else on the machine. */
  static final Duration LEAST = Duration.ofMillis(100);

  private static final int TICK_MILLIS = 10;
  private static final int MOST = 1_000;

  private final LongSupplier nanos;
  private final Deque<Standstill> noted = new ArrayDeque<>();
  private long lastNanos;

  /** From when to when on the clock, in nanoseconds. */
  private record Standstill(long from, long to) {
    long length() {
      return to - from;
    }
  }

  Standstills(LongSupplier nanos) {
    this.nanos = nanos;
    lastNanos = nanos.getAsLong();
  }

  /** Looks at the clock from now on, for as long as the process lives. */
  static Standstills watching() {
    Standstills standstills = new Standstills(System::nanoTime);
    Thread.ofPlatform().daemon().name("standstills").start(standstills::watch);
    return standstills;
  }

  private void watch() {
    while (true) {
      LockSupport.parkNanos(Duration.ofMillis(TICK_MILLIS).toNanos());
      look();
    }
  }

  /** Notes that nothing went on since the last look, if that is long ago. */
  synchronized void look() {
    long now = nanos.getAsLong();
    if (now - lastNanos >= LEAST.toNanos()) {
      noted.addLast(new Standstill(lastNanos, now));
    }
    if (noted.size() > MOST) {
      noted.removeFirst();
    }
    lastNanos = now;
  }

  /**
   * The longest that went on at or after a time of the clock.
   *
   * @param nanos of {@link System#nanoTime}
   * @return zero if there was none
   */
  synchronized Duration longestSince(long nanos) {
    look();
    long longest = 0;
    for (Standstill each : noted) {
      if (each.to - nanos > 0) {
        longest = Math.max(longest, each.length());
      }
    }
    return Duration.ofNanos(longest);
  }
}
