package dev.ebb.db.connection;

import java.time.Duration;

/**
 * How long a claim may take.
 *
 * @param lock how long it waits for the queue's lock, 1 ms or more
 * @param statement how long any of its statements may take, 1 ms or more
 */
public record Patience(Duration lock, Duration statement) {
  /** As PostgreSQL's settings take it. */
  public static String setting(Duration length) {
    return Math.max(1, length.toMillis()) + "ms";
  }
}
