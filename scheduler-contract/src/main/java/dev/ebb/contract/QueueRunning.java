package dev.ebb.contract;

import java.time.Instant;
import java.util.List;

/**
 * Which nodes run a queue's jobs.
 *
 * @param exact whether all of them were looked at; otherwise there are more
 * @param nodes those first whose oldest job has run for longest
 */
public record QueueRunning(
    String queue, Instant asOf, boolean exact, long jobs, List<OfNode> nodes) {

  /** How many a node runs, and the one that it has run for longest. */
  public record OfNode(String node, long jobs, Oldest oldest) {}

  /** A job that runs. */
  public record Oldest(String id, String kind, int attempt, Instant startedAt) {}
}
