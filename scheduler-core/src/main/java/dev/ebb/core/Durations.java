package dev.ebb.core;

import java.time.Duration;

/** The shorter and the longer of two lengths of time. */
public final class Durations {
  private Durations() {}

  /** The shorter of the two. */
  public static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  /** The longer of the two. */
  public static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
