package dev.ebb.db.node;

import java.util.List;

/**
 * What a node tells about itself once, when it starts.
 *
 * @param settingsHash the same for nodes with the same settings
 * @param queues that it serves; empty for all
 * @param kinds that it serves; empty for a process that runs no worker
 * @param concurrency how many jobs it runs at a time, at most
 */
public record NodeFacts(
    String name,
    String version,
    String settingsHash,
    List<String> queues,
    List<String> kinds,
    int concurrency) {

  /** Whether it runs jobs. */
  public boolean hasWorker() {
    return !kinds.isEmpty();
  }
}
