package dev.ebb.contract;

import java.time.Instant;
import java.util.Map;

/**
 * How many jobs of a queue wait.
 *
 * @param exact whether they were counted and not estimated
 * @param byAttempts by how often they were started: 0 to 9, and 10+
 */
public record QueueWaiting(
    String queue, Instant asOf, boolean exact, long jobs, Map<String, Long> byAttempts) {

  /** Those with that number of attempts. */
  public long of(String attempts) {
    return byAttempts.getOrDefault(attempts, 0L);
  }
}
