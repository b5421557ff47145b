package dev.ebb.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers when to claim from a queue again: when a job that this node put back is due, and when a
 * claim will see what the last one could not. Looks find those that it does not remember.
 */
final class LaterClaims {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final long GRAIN_NANOS = Duration.ofMillis(5).toNanos();
  private static final int MOST = 10_000;

  /** The monotonic clock has any origin: its times are compared as distances from here. */
  private static final long BEGIN = System.nanoTime();

  private record Later(long sinceBegin, String queue) {}

  private final AtomicInteger size = new AtomicInteger();
  private final ConcurrentSkipListSet<Later> dues =
      new ConcurrentSkipListSet<>(
          Comparator.comparingLong(Later::sinceBegin).thenComparing(Later::queue));

  void in(Duration delay, String queue) {
    if (delay.compareTo(LONGEST) < 0 && size.get() < MOST) {
      long at = now() + delay.toNanos();
      if (dues.add(new Later((at / GRAIN_NANOS + 1) * GRAIN_NANOS, queue))) {
        size.incrementAndGet();
      }
    }
  }

  private static long now() {
    return System.nanoTime() - BEGIN;
  }

  /** Forgets those that are due, and answers their queues. For one thread. */
  List<String> takeDue() {
    List<String> queues = new ArrayList<>();
    long now = now();
    while (!dues.isEmpty() && dues.first().sinceBegin <= now) {
      queues.add(dues.first().queue);
      dues.remove(dues.first());
      size.decrementAndGet();
    }
    return queues;
  }

  /** How long until the first is due, at most this long. For the same thread. */
  long nanosUntilFirst(long atMost) {
    return dues.isEmpty() ? atMost : Math.min(atMost, dues.first().sinceBegin - now());
  }
}
