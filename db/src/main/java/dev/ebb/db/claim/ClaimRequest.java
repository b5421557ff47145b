package dev.ebb.db.claim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker can start now.
 *
 * @param kinds the kinds that it has handlers for
 * @param timeout of an attempt whose job has none, of the kind that takes longest
 * @param most by queue, how many at most, 1 or more
 * @param poll whose the lease is; {@code null} for a worker of this process
 */
public record ClaimRequest(
    String node,
    List<String> kinds,
    Duration lease,
    Duration timeout,
    SequencedMap<String, Integer> most,
    @Nullable Poll poll) {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** That of a worker of this process. */
  public ClaimRequest(
      String node,
      List<String> kinds,
      Duration lease,
      Duration timeout,
      SequencedMap<String, Integer> most) {
    this(node, kinds, lease, timeout, most, null);
  }

  /**
   * A worker's request over HTTP.
   *
   * @param holder who alone may renew and settle the lease
   * @param requestId a claim by the same node and of the same id is refused while the lease is
   *     there; {@code null} for none
   */
  public record Poll(String holder, @Nullable String requestId) {}

  /** That of one queue, whose kinds take up to a minute. */
  public static ClaimRequest of(
      String queue, String node, List<String> kinds, int most, Duration lease) {
    return new ClaimRequest(node, kinds, lease, MINUTE, new LinkedHashMap<>(Map.of(queue, most)));
  }
}
