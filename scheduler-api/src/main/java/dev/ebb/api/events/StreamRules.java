package dev.ebb.api.events;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import java.time.Duration;

/**
 * The bounds of streams of events.
 *
 * @param most open at a time in this process, 1 to 10,000; a caller has half of those that the
 *     others leave, but at least one
 * @param heartbeat after how long a silent stream sends a comment, 10 ms to a minute
 * @param burst how long a stream gathers events before it sends them, 10 ms to a minute
 * @param longest how long a stream is open, up to a day
 * @param catchUp how many events are read at most for one that comes back
 */
public record StreamRules(
    int most, Duration heartbeat, Duration burst, Duration longest, int catchUp) {
  public StreamRules {
    requireBetween(most, 1, 10_000, "most");
    Duration shortest = Duration.ofMillis(10);
    requireBetween(heartbeat, shortest, Duration.ofMinutes(1), "heartbeat");
    requireBetween(burst, shortest, Duration.ofMinutes(1), "burst");
    requireBetween(longest, Duration.ZERO, Duration.ofDays(1), "longest");
    require(catchUp >= 1, "catchUp", "must be positive");
  }

  /** 200 streams, for four hours each, with two bursts a second and four heartbeats a minute. */
  public static StreamRules defaults() {
    return new StreamRules(
        200, Duration.ofSeconds(15), Duration.ofMillis(500), Duration.ofHours(4), 50_000);
  }

  /** How many one caller may have, beside so many of all others. */
  int mostOfCaller(int ofOthers) {
    return Math.max(1, (most - ofOthers) / 2);
  }
}
