package dev.ebb.api.jobs;

import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.db.json.PolicyJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a submit would have stored.
 *
 * @param valid always: what breaks a rule is refused as at a submit
 * @param policy the job's, its queue's or the default
 */
record DryRun(boolean valid, JsonNode policy, int maxAttempts, Schedule schedulePreview) {

  /** When the attempts start if all fail at once, counted from when the job is due. */
  record Schedule(
      List<PolicyPreview.Attempt> attempts, PolicyPreview.Times giveUp, int simulatedJobs) {}

  /** What a batch would have stored, in its order. A preview of each would take too long. */
  record Batch(boolean valid, List<Item> items) {}

  /** The same of one of which each job stands for itself; a problem in the place of a bad one. */
  record PartialBatch(boolean valid, List<Object> items) {}

  /** What would have been stored for one job of a batch. */
  record Item(JsonNode policy, int maxAttempts) {}

  static DryRun of(EffectivePolicy effective, PolicyPreview preview) {
    return new DryRun(
        true,
        PolicyJson.write(effective.policy()),
        effective.maxAttempts(),
        new Schedule(preview.attempts(), preview.giveUp(), preview.jobs()));
  }

  static Batch of(List<EffectivePolicy> effective) {
    return new Batch(
        true,
        effective.stream()
            .map(one -> new Item(PolicyJson.write(one.policy()), one.maxAttempts()))
            .toList());
  }
}
