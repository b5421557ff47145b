package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Paged;
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
 * @param pause what is known of the pause; absent if it is not paused
 * @param policy for jobs without one of their own; absent for the preset {@code default}
 * @param policyName the stored policy that it follows; absent if that is its own
 * @param rateLimit absent for none
 * @param maxConcurrency absent for none
 * @param maxDepth absent for none
 * @param createdAt when its settings were created; absent if it has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueueResource(
    String name,
    boolean configured,
    boolean paused,
    @Nullable Pause pause,
    @Nullable JsonNode policy,
    @Nullable String policyName,
    @Nullable JsonNode rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Integer maxDepth,
    @Nullable Instant createdAt) {

  /** Since when, by whom, why and until when a queue is paused; what is not known is absent. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Pause(
      @Nullable Instant since,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant until) {
    static @Nullable Pause of(QueueView.@Nullable Pause pause) {
      return pause == null
          ? null
          : new Pause(
              Answer.shownOrNull(pause.since()),
              pause.by(),
              pause.reason(),
              Answer.shownOrNull(pause.until()));
    }
  }

  /**
   * A page of the queues, by name.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<QueueResource> items, @Nullable String nextCursor) implements Paged {}

  static Page page(QueuePage page) {
    return new Page(page.queues().stream().map(QueueResource::of).toList(), page.next());
  }

  static QueueResource of(QueueView queue) {
    QueueSettings settings = queue.settings();
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    return new QueueResource(
        queue.name(),
        queue.isConfigured(),
        settings.paused(),
        Pause.of(queue.pause()),
        policy == null ? null : PolicyJson.write(policy),
        settings.policyName(),
        rateLimit == null ? null : RateLimitJson.write(rateLimit),
        settings.maxConcurrency(),
        settings.maxDepth(),
        Answer.shownOrNull(queue.createdAt()));
  }
}
