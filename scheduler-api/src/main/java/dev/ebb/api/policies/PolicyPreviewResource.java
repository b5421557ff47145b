package dev.ebb.api.policies;

import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * When the attempts of a job start and when it is given up, if every attempt fails at once. Every
 * time is a duration since the submit.
 *
 * @param simulatedJobs how many jobs the median and the 90 % come from; earliest and latest are
 *     computed
 */
record PolicyPreviewResource(
    JsonNode policy,
    int priority,
    int maxAttempts,
    List<PolicyPreview.Attempt> attempts,
    PolicyPreview.Times giveUp,
    int simulatedJobs) {

  static PolicyPreviewResource of(RetryPolicy policy, int priority, int maxAttempts) {
    PolicyPreview preview = PolicyPreview.of(policy, priority, maxAttempts);
    return new PolicyPreviewResource(
        PolicyJson.write(policy),
        priority,
        maxAttempts,
        preview.attempts(),
        preview.giveUp(),
        preview.jobs());
  }
}
