package dev.ebb.db.node;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a node tells again and again.
 *
 * @param skew the node's clock less the database's
 * @param closing whether the process is ending
 * @param networkSuspected whether it suspects its own network or resolver
 */
public record Heartbeat(int inFlight, Duration skew, boolean closing, boolean networkSuspected) {
  /**
   * The answer to it.
   *
   * @param draining whether somebody asked the node to claim no more
   * @param now the database's clock
   * @param workers how many workers serve the same kinds and queues and claim, at least 1
   * @param missingKeys the ids of keys that sealed what is stored, and that the node has not
   * @param opensNone whether those are all that sealed anything, and another node has them
   */
  public record Answer(
      boolean draining, Instant now, int workers, List<String> missingKeys, boolean opensNone) {}
}
