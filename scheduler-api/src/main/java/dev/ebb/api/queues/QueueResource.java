package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import dev.ebb.db.queue.QueuePage;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A queue as answers show it.
 *
 * @param configured whether it has settings; without them the defaults apply
 * @param policy for jobs without one of their own; absent for the preset {@code default}
 * @param rateLimit absent for none
 * @param maxConcurrency absent for none
 * @param createdAt when its settings were created; absent if it has none, or if they could not be
 *     read back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueueResource(
    String name,
    boolean configured,
    boolean paused,
    @Nullable JsonNode policy,
    @Nullable JsonNode rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Instant createdAt) {

  /**
   * A page of the queues, by name.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<QueueResource> items, @Nullable String nextCursor) {}

  static Page page(QueuePage page) {
    return new Page(page.queues().stream().map(QueueResource::of).toList(), page.next());
  }

  static QueueResource of(QueueView queue) {
    return of(queue.name(), queue.isConfigured(), queue.settings(), queue.createdAt());
  }

  /** A queue whose settings were written. */
  static QueueResource written(String name, QueueSettings settings, @Nullable Instant createdAt) {
    return of(name, true, settings, createdAt);
  }

  private static QueueResource of(
      String name, boolean configured, QueueSettings settings, @Nullable Instant createdAt) {
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    return new QueueResource(
        name,
        configured,
        settings.paused(),
        policy == null ? null : PolicyJson.write(policy),
        rateLimit == null ? null : RateLimitJson.write(rateLimit),
        settings.maxConcurrency(),
        Answer.shownOrNull(createdAt));
  }
}
