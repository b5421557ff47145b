package dev.ebb.worker;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.schema.Retention;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How a worker works.
 *
 * @param node what the process is called in leases and attempts; must differ between processes
 * @param queues the queues that it serves; {@code null} for all, also those to come
 * @param concurrency how many jobs run at a time, 1 to 100,000
 * @param lease how long a claimed job stays this node's own without a renewal, 1 s to 1 h; renewed
 *     three times as often
 * @param listens whether to listen for notifications of new work, on a connection of its own
 * @param longestPoll how long an idle node waits before it looks for work again, 20 ms to 1 min
 * @param retention for how many days ended jobs and attempts are kept
 * @param drainTimeout how long running jobs may go on after {@link Worker#close} before they are
 *     interrupted and given back, zero to 1 h
 */
public record WorkerConfig(
    String node,
    @Nullable List<String> queues,
    int concurrency,
    Duration lease,
    boolean listens,
    Duration longestPoll,
    Retention retention,
    Duration drainTimeout) {

  public WorkerConfig {
    require(!node.isBlank() && node.length() <= 100, "node", "must be 1 to 100 characters");
    require(queues == null || !queues.isEmpty(), "queues", "must name a queue");
    if (queues != null) {
      queues.forEach(NewJob::requireQueue);
      queues = queues.stream().distinct().toList();
    }
    requireBetween(concurrency, 1, 100_000, "concurrency");
    requireBetween(lease, Duration.ofSeconds(1), Duration.ofHours(1), "lease");
    requireBetween(longestPoll, Duration.ofMillis(20), Duration.ofMinutes(1), "longestPoll");
    requireBetween(drainTimeout, Duration.ZERO, Duration.ofHours(1), "drainTimeout");
  }

  /** The defaults: every queue, 500 jobs at a time, a lease of 15 s, 14 days of history. */
  public static WorkerConfig defaults() {
    return new WorkerConfig(
        uniqueName(),
        null,
        500,
        Duration.ofSeconds(15),
        true,
        Duration.ofSeconds(1),
        Retention.of(14),
        Duration.ofSeconds(30));
  }

  /** Whether jobs of more than one queue may come. */
  boolean servesManyQueues() {
    return queues == null || queues.size() > 1;
  }

  /** The host's name helps people; the random part tells apart what shares a host or its image. */
  static String uniqueName() {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    try {
      String host = InetAddress.getLocalHost().getHostName();
      return host.substring(0, Math.min(host.length(), 60)) + "-" + random;
    } catch (UnknownHostException e) {
      return "node-" + random;
    }
  }

  public WorkerConfig withNode(String node) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withQueues(@Nullable List<String> queues) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withConcurrency(int concurrency) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withLease(Duration lease) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withLongestPoll(Duration longestPoll) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withListening(boolean listens) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withDrainTimeout(Duration drainTimeout) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }

  public WorkerConfig withRetention(Retention retention) {
    return new WorkerConfig(
        node, queues, concurrency, lease, listens, longestPoll, retention, drainTimeout);
  }
}
