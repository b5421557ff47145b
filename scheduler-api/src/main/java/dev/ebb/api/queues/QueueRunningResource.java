package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.QueueRunning;
import dev.ebb.db.queue.RunningJobs;
import java.time.Instant;

/** Shows which nodes run the jobs of a queue. */
final class QueueRunningResource {
  private QueueRunningResource() {}

  static QueueRunning of(String queue, RunningJobs.RunningCount found) {
    return new QueueRunning(
        queue,
        Answer.shown(found.asOf()),
        found.exact(),
        found.jobs(),
        found.nodes().stream().map(QueueRunningResource::of).toList());
  }

  private static QueueRunning.OfNode of(RunningJobs.OfNode node) {
    RunningJobs.Oldest oldest = node.oldest();
    Instant startedAt = Answer.shown(oldest.startedAt());
    return new QueueRunning.OfNode(
        node.node(),
        node.jobs(),
        new QueueRunning.Oldest(
            oldest.id().toString(), oldest.kind(), oldest.attempt(), startedAt));
  }
}
