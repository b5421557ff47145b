package dev.ebb.api.jobs;

import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Reads the jobs that a request submits, and refuses those for which their queue has no room,
 * unless nothing is to be stored.
 */
public final class JobBodies {
  private final Bodies bodies;
  private final NamedPolicies policies;
  private final QueueDepths depths;
  private final JobQueue queue;

  JobBodies(Bodies bodies, NamedPolicies policies, QueueDepths depths, JobQueue queue) {
    this.bodies = bodies;
    this.policies = policies;
    this.depths = depths;
    this.queue = queue;
  }

  Submission one(HttpServletRequest request, boolean dryRun) throws SQLException {
    JsonObject body = bodies.object(request);
    NewJob job = JobResource.read(body, policies.forRequest());
    Set<Integer> strict = OnDuplicate.isRejected(body) ? Set.of(0) : Set.of();
    Submission one = new Submission(List.of(job), strict, IdempotencyKeys.of(request, body));
    if (!dryRun) {
      requireRoom(one);
    }
    return one;
  }

  Submission batch(HttpServletRequest request, boolean dryRun) throws Exception {
    Submission batch = bodies.batch(request, body -> read(request, body));
    if (!dryRun) {
      requireRoom(batch);
    }
    return batch;
  }

  private Submission read(HttpServletRequest request, JsonObject body) {
    return BatchRequest.read(body, policies.forRequest(), IdempotencyKeys.of(request, body));
  }

  /** What is stored already needs no room. */
  private void requireRoom(Submission submission) throws SQLException {
    QueueDepths.Full full = depths.letIn(submission.jobs()).orElse(null);
    if (full != null && !queue.isStored(submission)) {
      throw Refusal.queueFull(
          "The queue %s has a maxDepth of %d, and no room. Nothing was stored."
              .formatted(full.queue(), full.maxDepth()));
    }
  }
}
