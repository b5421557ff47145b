package dev.ebb.api.jobs;

import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.db.json.PolicyJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a submit would store, and when the attempts would start if all fail at once, counted from
 * when the job is due.
 *
 * @param policy the job's, its queue's or the default
 * @param simulatedJobs how many jobs 10 %, median and 90 % come from
 */
record JobPreview(
    JsonNode policy,
    int maxAttempts,
    List<PolicyPreview.Attempt> attempts,
    PolicyPreview.Times giveUp,
    int simulatedJobs) {

  /**
   * What a batch would store, in its order. A preview of each job would take too long.
   *
   * @param valid whether each job keeps the rules; always, where one that does not has the whole
   *     refused
   * @param items a {@link Item}, or a problem in the place of a job that is refused
   */
  record Batch(boolean valid, List<?> items) {}

  /** What would be stored for one job of a batch. */
  record Item(JsonNode policy, int maxAttempts) {
    static Item of(EffectivePolicy effective) {
      return new Item(PolicyJson.write(effective.policy()), effective.maxAttempts());
    }
  }

  static JobPreview of(EffectivePolicy effective, PolicyPreview preview) {
    return new JobPreview(
        PolicyJson.write(effective.policy()),
        effective.maxAttempts(),
        preview.attempts(),
        preview.giveUp(),
        preview.jobs());
  }
}
