package dev.ebb.db;

import java.time.Duration;

/**
 * How long a claim may take.
 *
 * @param turn how long it waits for the queue's turn, 1 ms or more
 * @param claim how long it may look for jobs once it has the turn, 1 ms or more
 */
public record Patience(Duration turn, Duration claim) {
  /** As PostgreSQL's settings take it. */
  static String setting(Duration length) {
    return Math.max(1, length.toMillis()) + "ms";
  }
}
