package dev.ebb.ui.page;

import java.time.Duration;

/**
 * How soon pages that are open may be asked for again, so that all of them together keep a small
 * part of one core busy: the more there are, and the longer they take, the longer each waits.
 */
final class Pace {
  /** Tells the script of a page how many milliseconds it should wait. */
  static final String HEADER = "Ebb-Pause";

  /** How long any page waits. */
  static final Duration SHORTEST = Duration.ofSeconds(2);

  /** However many there are. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  /** Pages should take one part of the time in so many. */
  static final int PARTS = 20;

  private long paidNanos = System.nanoTime();

  /**
   * How long who asked for a page should wait.
   *
   * @param now by the monotonic clock
   * @param took how long the page did
   */
  synchronized Duration pause(long now, Duration took) {
    long owed = Math.max(0, paidNanos - now) + PARTS * took.toNanos();
    owed = Math.min(owed, LONGEST.toNanos());
    paidNanos = now + owed;
    return Duration.ofNanos(Math.max(owed, SHORTEST.toNanos()));
  }
}
