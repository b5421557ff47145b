package dev.ebb.db.notify;

import java.time.Duration;

/**
 * Lets {@value #AT_ONCE} through at once, and after them one every five milliseconds: the generic
 * cell rate algorithm (ITU-T I.371) by the time at which the next would come if all came evenly.
 *
 * <p>So what comes now and then never waits, and under load two hundred a second come through.
 */
final class Pacing {
  static final int AT_ONCE = 20;
  static final Duration INTERVAL = Duration.ofMillis(5);

  private static final long TOLERANCE = (AT_ONCE - 1) * INTERVAL.toNanos();

  private long evenly;

  /** One that has let nothing through, at this time. */
  Pacing(long nanoTime) {
    this.evenly = nanoTime;
  }

  /** Counts one that goes now, and answers how long the one after it has to wait. */
  Duration untilNext(long nanoTime) {
    evenly = (evenly - nanoTime > 0 ? evenly : nanoTime) + INTERVAL.toNanos();
    return Duration.ofNanos(Math.max(0, evenly - nanoTime - TOLERANCE));
  }
}
