package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;

/**
 * What bounds the ordering keys of a queue.
 *
 * @param maxHold how long a job may keep others of its key from running, PT1S to P30D
 */
public record Ordering(Duration maxHold) {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(30);

  public Ordering {
    requireBetween(maxHold, LEAST, MOST, "maxHold");
  }
}
