package dev.ebb.api.queues;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.db.PolicyJson;
import dev.ebb.db.Queues;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A queue as answers show it.
 *
 * @param policy of jobs that bring none; absent for the preset {@code default}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueueResource(String name, boolean paused, @Nullable JsonNode policy, Instant createdAt) {

  /** All queues by name. */
  record Items(List<QueueResource> items) {}

  static Items items(List<Queues.Queue> queues) {
    return new Items(queues.stream().map(QueueResource::of).toList());
  }

  static QueueResource of(Queues.Queue queue) {
    return new QueueResource(
        queue.name(),
        queue.paused(),
        queue.policy() == null ? null : PolicyJson.write(queue.policy()),
        Answer.shown(queue.createdAt()));
  }
}
