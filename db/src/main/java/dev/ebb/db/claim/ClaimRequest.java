package dev.ebb.db.claim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The jobs that a worker can start now.
 *
 * @param kinds the kinds that it has handlers for
 * @param timeout of an attempt whose job has none, of the kind that takes longest
 * @param most by queue, how many at most, 1 or more
 */
public record ClaimRequest(
    String node,
    List<String> kinds,
    Duration lease,
    Duration timeout,
    SequencedMap<String, Integer> most) {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** That of one queue, whose kinds take up to a minute. */
  public static ClaimRequest of(
      String queue, String node, List<String> kinds, int most, Duration lease) {
    return new ClaimRequest(node, kinds, lease, MINUTE, new LinkedHashMap<>(Map.of(queue, most)));
  }
}
