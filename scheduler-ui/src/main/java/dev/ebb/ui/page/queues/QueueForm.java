package dev.ebb.ui.page.queues;

import dev.ebb.contract.Policy;
import dev.ebb.contract.Queue;
import dev.ebb.contract.RateLimit;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.page.lab.LabForm;
import dev.ebb.ui.words.Lengths;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue's settings as the fields of a form have them: empty where there are none.
 *
 * @param queue {@code null} for a new one
 * @param tried what stands in fields of the rate limit instead, by their names
 */
public record QueueForm(@Nullable Queue queue, Map<String, String> tried) {
  public QueueForm {
    tried = Map.copyOf(tried);
  }

  /** Those of the queue alone. */
  public QueueForm(@Nullable Queue queue) {
    this(queue, Map.of());
  }

  public String rate() {
    return limit(WhatIf.RATE, RateLimit::permitsPerSecond);
  }

  /** In seconds. */
  public String warmUp() {
    RateLimit limit = queue == null ? null : queue.rateLimit();
    return limit == null || limit.warmsUp() || tried.containsKey(WhatIf.WARM_UP)
        ? limit(WhatIf.WARM_UP, one -> one.warmUp().toMillis() / 1e3)
        : "";
  }

  public String coldFactor() {
    return limit(WhatIf.COLD_FACTOR, RateLimit::coldFactor);
  }

  public String throttleFactor() {
    return limit("throttleFactor", RateLimit::throttleFactor);
  }

  private String limit(String name, ToDoubleFunction<RateLimit> field) {
    if (tried.containsKey(name)) {
      return tried.getOrDefault(name, "");
    }
    RateLimit limit = queue == null ? null : queue.rateLimit();
    return limit == null ? "" : plain(field.applyAsDouble(limit));
  }

  /** In full, as it was set. */
  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  public String maxConcurrency() {
    return number(Queue::maxConcurrency);
  }

  public String maxDepth() {
    return number(Queue::maxDepth);
  }

  public String weight() {
    return number(Queue::weight);
  }

  /** How long a job may keep others of its ordering key, as people type it. */
  public String maxHold() {
    return queue == null || queue.ordering() == null
        ? ""
        : Lengths.typed(queue.ordering().maxHold());
  }

  private String number(Function<Queue, @Nullable Integer> field) {
    Integer number = queue == null ? null : field.apply(queue);
    return number == null ? "" : number.toString();
  }

  /** A line for each label that jobs take from their payloads. */
  public String labelsFrom() {
    return LabelNames.lines(queue == null ? null : queue.labelsFrom());
  }

  /** That of the policy that it follows; empty for none. */
  public String policyName() {
    return queue == null || queue.policyName() == null ? "" : queue.policyName();
  }

  /** Whether it has a policy that no other has. */
  public boolean hasOwnPolicy() {
    return queue != null && queue.policy() != null && queue.policyName() == null;
  }

  /** A field of that policy, as people type it; empty for none. */
  public String own(String field) {
    Policy policy = queue == null || !hasOwnPolicy() ? null : queue.policy();
    return policy == null ? "" : LabForm.of(Json.tree(policy)).get(field);
  }
}
