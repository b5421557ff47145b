package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueList;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.OrderingJson;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import dev.ebb.db.queue.QueuePage;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import org.jspecify.annotations.Nullable;

/** Shows queues. */
public final class QueueResource {
  private QueueResource() {}

  static QueueList page(QueuePage page) {
    return new QueueList(page.queues().stream().map(QueueResource::of).toList(), page.next());
  }

  /** A queue. */
  public static Queue of(QueueView queue) {
    QueueSettings settings = queue.settings();
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    Ordering ordering = settings.ordering();
    return new Queue(
        queue.name(),
        queue.isConfigured(),
        settings.paused(),
        pause(queue.pause()),
        policy == null ? null : PolicyJson.shown(policy),
        settings.policyName(),
        rateLimit == null ? null : RateLimitJson.shown(rateLimit),
        settings.maxConcurrency(),
        settings.maxDepth(),
        settings.weight(),
        settings.labelsFrom().isEmpty() ? null : settings.labelsFrom(),
        ordering == null ? null : OrderingJson.shown(ordering),
        Answer.shownOrNull(queue.createdAt()));
  }

  private static Queue.@Nullable Pause pause(QueueView.@Nullable Pause pause) {
    return pause == null
        ? null
        : new Queue.Pause(
            Answer.shownOrNull(pause.since()),
            pause.by(),
            pause.reason(),
            Answer.shownOrNull(pause.until()));
  }
}
