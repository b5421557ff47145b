package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.db.queue.RunningJobs;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Which nodes run a queue's jobs, as answers show it.
 *
 * @param exact whether all of them were looked at; otherwise there are more
 * @param nodes those first whose oldest job has run for longest
 */
record QueueRunningResource(
    String queue, Instant asOf, boolean exact, long jobs, List<OfNode> nodes) {

  /** How many a node runs, and the one that it has run for longest. */
  record OfNode(String node, long jobs, Oldest oldest) {
    static OfNode of(RunningJobs.OfNode node) {
      RunningJobs.Oldest oldest = node.oldest();
      Instant startedAt = Answer.shown(oldest.startedAt());
      return new OfNode(
          node.node(),
          node.jobs(),
          new Oldest(oldest.id(), oldest.kind(), oldest.attempt(), startedAt));
    }
  }

  /** A job that runs. */
  record Oldest(UUID id, String kind, int attempt, Instant startedAt) {}

  static QueueRunningResource of(String queue, RunningJobs.Found found) {
    return new QueueRunningResource(
        queue,
        Answer.shown(found.asOf()),
        found.exact(),
        found.jobs(),
        found.nodes().stream().map(OfNode::of).toList());
  }
}
