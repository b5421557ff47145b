package dev.ebb.worker;

import java.time.Duration;

/** A pause before something is tried again; each next one is twice as long, up to the longest. */
record Pause(long untilNanos, long lengthNanos) {
  static final Duration SHORTEST = Duration.ofMillis(100);

  static Pause first() {
    return of(SHORTEST.toNanos());
  }

  Pause next() {
    return of(Math.min(2 * lengthNanos, Loop.LONGEST_PAUSE.toNanos()));
  }

  /** How much of it is left; not above zero once it is over. */
  long leftNanos() {
    return untilNanos - System.nanoTime();
  }

  private static Pause of(long nanos) {
    return new Pause(System.nanoTime() + nanos, nanos);
  }
}
