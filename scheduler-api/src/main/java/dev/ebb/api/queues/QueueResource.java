package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.RateLimit;
import dev.ebb.core.RetryPolicy;
import dev.ebb.db.PolicyJson;
import dev.ebb.db.Queues;
import dev.ebb.db.RateLimitJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A queue as answers show it.
 *
 * @param policy of jobs that bring none; absent for the preset {@code default}
 * @param rateLimit absent for none
 * @param maxConcurrency absent for none
 * @param createdAt absent where the settings are stored and could not be read back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueueResource(
    String name,
    boolean paused,
    @Nullable JsonNode policy,
    @Nullable JsonNode rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Instant createdAt) {

  /** All queues by name. */
  record Items(List<QueueResource> items) {}

  static Items items(List<Queues.Queue> queues) {
    return new Items(queues.stream().map(QueueResource::of).toList());
  }

  static QueueResource of(Queues.Queue queue) {
    return written(queue.name(), queue.settings(), queue.createdAt());
  }

  static QueueResource written(String name, Queues.Settings settings, @Nullable Instant createdAt) {
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    return new QueueResource(
        name,
        settings.paused(),
        policy == null ? null : PolicyJson.write(policy),
        rateLimit == null ? null : RateLimitJson.write(rateLimit),
        settings.maxConcurrency(),
        createdAt == null ? null : Answer.shown(createdAt));
  }
}
