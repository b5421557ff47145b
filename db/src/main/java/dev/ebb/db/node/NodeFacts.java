package dev.ebb.db.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells about itself once, when it starts.
 *
 * @param settingsHash the same for nodes with the same settings
 * @param queues that it serves; empty for all
 * @param kinds that it serves; empty for a process that runs no worker
 * @param concurrency how many jobs it runs at a time, at most
 * @param secretsKeys the ids of the keys by which it opens stored secrets; {@code null} if it opens
 *     none
 */
public record NodeFacts(
    String name,
    String version,
    String settingsHash,
    List<String> queues,
    List<String> kinds,
    int concurrency,
    @Nullable List<String> secretsKeys) {

  /** One that opens no secrets. */
  public NodeFacts(
      String name,
      String version,
      String settingsHash,
      List<String> queues,
      List<String> kinds,
      int concurrency) {
    this(name, version, settingsHash, queues, kinds, concurrency, null);
  }

  /** Whether it runs jobs. */
  public boolean hasWorker() {
    return !kinds.isEmpty();
  }
}
