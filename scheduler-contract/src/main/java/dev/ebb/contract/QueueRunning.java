package dev.ebb.contract;

import java.time.Instant;
import java.util.List;

/**
 * Which nodes run a queue's jobs.
 *
 * @param queue the queue
 * @param asOf when this was so, by the database's clock
 * @param exact whether all of them were looked at; otherwise there are more
 * @param jobs how many run on all nodes
 * @param nodes those first whose oldest job has run for longest
 */
public record QueueRunning(
    String queue, Instant asOf, boolean exact, long jobs, List<OfNode> nodes) {

  /**
   * How many a node runs, and the one that it has run for longest.
   *
   * @param node the name of the node
   * @param jobs how many it runs
   * @param oldest the one that it has run for longest
   */
  public record OfNode(String node, long jobs, Oldest oldest) {}

  /**
   * A job that runs.
   *
   * @param id its id
   * @param kind its kind
   * @param attempt the number of the attempt, from 1
   * @param startedAt when it began
   */
  public record Oldest(String id, String kind, int attempt, Instant startedAt) {}
}
