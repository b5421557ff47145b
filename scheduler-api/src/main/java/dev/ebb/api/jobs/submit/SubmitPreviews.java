package dev.ebb.api.jobs.submit;

import dev.ebb.api.policies.PolicyPreviewResource;
import dev.ebb.api.policies.Previews;
import dev.ebb.contract.BatchPreview;
import dev.ebb.contract.BatchPreviewItem;
import dev.ebb.contract.JobPreview;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells what a submit would store, and stores nothing. */
public final class SubmitPreviews {
  private final Queues queues;
  private final Previews previews;

  SubmitPreviews(Queues queues, Previews previews) {
    this.queues = queues;
    this.previews = previews;
  }

  JobPreview of(NewJob job) throws Exception {
    EffectivePolicy effective = EffectivePolicy.of(job, queues);
    return previews.inTurn(() ->
        shown(
            effective,
            PolicyPreview.of(effective.policy(), job.priority(), effective.maxAttempts())));
  }

  private static JobPreview shown(EffectivePolicy effective, PolicyPreview preview) {
    return new JobPreview(
        PolicyJson.shown(effective.policy()),
        effective.maxAttempts(),
        PolicyPreviewResource.attempts(preview),
        PolicyPreviewResource.times(preview.giveUp()),
        preview.jobs());
  }

  /**
   * The same of a batch of which each job stands for itself. When the attempts of each would start
   * would take too long.
   */
  BatchPreview of(PartialBatch batch, HttpServletRequest request) throws SQLException {
    return new BatchPreview(
        !batch.isRefusedSomewhere(),
        batch.items(request.getRequestURI(), items(batch.jobs()), BatchPreviewItem::refused));
  }

  /** The same of a batch that is stored together or not at all. */
  BatchPreview of(List<NewJob> jobs) throws SQLException {
    return new BatchPreview(true, items(jobs));
  }

  private List<BatchPreviewItem> items(List<NewJob> jobs) throws SQLException {
    Map<String, @Nullable RetryPolicy> ofQueues = new HashMap<>();
    List<BatchPreviewItem> items = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      if (!ofQueues.containsKey(job.queue())) {
        ofQueues.put(job.queue(), EffectivePolicy.ofQueue(job.queue(), queues));
      }
      items.add(shown(EffectivePolicy.of(job, ofQueues.get(job.queue()))));
    }
    return items;
  }

  private static BatchPreviewItem shown(EffectivePolicy effective) {
    return new BatchPreviewItem(
        PolicyJson.shown(effective.policy()), effective.maxAttempts(), null);
  }
}
