package dev.ebb.contract;

import java.time.Instant;
import java.util.Map;

/**
 * How many jobs of a queue wait.
 *
 * @param queue the queue
 * @param asOf when this was so, by the database's clock
 * @param exact whether they were counted and not estimated
 * @param jobs how many of them wait
 * @param byAttempts by how often they were started: 0 to 9, and 10+
 */
public record QueueWaiting(
    String queue, Instant asOf, boolean exact, long jobs, Map<String, Long> byAttempts) {

  /**
   * How many wait with a number of attempts.
   *
   * @param attempts as {@code byAttempt} names it
   * @return their number
   */
  public long of(String attempts) {
    return byAttempts.getOrDefault(attempts, 0L);
  }
}
