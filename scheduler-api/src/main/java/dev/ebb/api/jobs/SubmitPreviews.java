package dev.ebb.api.jobs;

import dev.ebb.api.policies.Previews;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.PolicyPreview;
import dev.ebb.core.retry.RetryPolicy;
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
        JobPreview.of(
            effective,
            PolicyPreview.of(effective.policy(), job.priority(), effective.maxAttempts())));
  }

  /** The same of a batch of which each job stands for itself. */
  JobPreview.Batch of(PartialBatch batch, HttpServletRequest request) throws SQLException {
    return new JobPreview.Batch(
        !batch.isRefusedSomewhere(), batch.items(request.getRequestURI(), items(batch.jobs())));
  }

  /** The same of a batch that is stored together or not at all. */
  JobPreview.Batch of(List<NewJob> jobs) throws SQLException {
    return new JobPreview.Batch(true, items(jobs));
  }

  private List<JobPreview.Item> items(List<NewJob> jobs) throws SQLException {
    Map<String, @Nullable RetryPolicy> ofQueues = new HashMap<>();
    List<JobPreview.Item> items = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      if (!ofQueues.containsKey(job.queue())) {
        ofQueues.put(job.queue(), EffectivePolicy.ofQueue(job.queue(), queues));
      }
      items.add(JobPreview.Item.of(EffectivePolicy.of(job, ofQueues.get(job.queue()))));
    }
    return items;
  }
}
