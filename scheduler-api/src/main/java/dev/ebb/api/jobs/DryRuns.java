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
public final class DryRuns {
  private final Queues queues;
  private final Previews previews;

  DryRuns(Queues queues, Previews previews) {
    this.queues = queues;
    this.previews = previews;
  }

  DryRun of(NewJob job) throws Exception {
    EffectivePolicy effective = EffectivePolicy.of(job, queues);
    return previews.inTurn(() ->
        DryRun.of(
            effective,
            PolicyPreview.of(effective.policy(), job.priority(), effective.maxAttempts())));
  }

  /** The same of a batch of which each job stands for itself: it is valid if all are. */
  DryRun.PartialBatch of(PartialBatch batch, HttpServletRequest request) throws SQLException {
    return new DryRun.PartialBatch(
        !batch.isRefusedSomewhere(),
        batch.items(request.getRequestURI(), of(batch.jobs()).items()));
  }

  DryRun.Batch of(List<NewJob> jobs) throws SQLException {
    Map<String, @Nullable RetryPolicy> ofQueues = new HashMap<>();
    List<EffectivePolicy> effective = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      if (!ofQueues.containsKey(job.queue())) {
        ofQueues.put(job.queue(), EffectivePolicy.ofQueue(job.queue(), queues));
      }
      effective.add(EffectivePolicy.of(job, ofQueues.get(job.queue())));
    }
    return DryRun.of(effective);
  }
}
