package dev.ebb.api.jobs.submit;

import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.api.jobs.submit.SubmitRefusals.Of;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.queue.QueueDepths;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the jobs that a request submits, and refuses those for which their queue has no room; or
 * that it only describes, so that nothing is to be stored.
 */
public final class JobBodies {
  private final Bodies bodies;
  private final NamedPolicies policies;
  private final QueueDepths depths;
  private final JobQueue queue;

  public JobBodies(Bodies bodies, NamedPolicies policies, QueueDepths depths, JobQueue queue) {
    this.bodies = bodies;
    this.policies = policies;
    this.depths = depths;
    this.queue = queue;
  }

  public Submission one(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.object(request);
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    NamedPolicies.OfRequest named = named(key);
    NewJob job = JobResource.read(body, named);
    Set<Integer> strict = OnDuplicate.isRejected(body) ? Set.of(0) : Set.of();
    Submission one = new Submission(List.of(job), strict, key, named.stored());
    requireRoom(one);
    return one;
  }

  /** The job that the body describes, whether there is room or not. */
  public NewJob described(HttpServletRequest request) {
    JsonObject body = bodies.object(request);
    NewJob job = JobResource.read(body, policies());
    var _ = OnDuplicate.isRejected(body);
    return job;
  }

  /** The batch; of one whose jobs stand for themselves, those without room are refused in it. */
  public BatchRequest batch(HttpServletRequest request) throws Exception {
    return withRoom(bodies.batch(request, body -> read(request, body)));
  }

  /** The batch that the body describes, whether there is room or not. */
  public BatchRequest describedBatch(HttpServletRequest request) throws Exception {
    return bodies.batch(request, body -> BatchRequest.read(body, policies.forRequest(), null));
  }

  private BatchRequest withRoom(BatchRequest batch) throws SQLException {
    return switch (batch) {
      case BatchRequest.Whole(Submission submission) -> {
        requireRoom(submission);
        yield batch;
      }
      case BatchRequest.Parts(PartialBatch parts) ->
          new BatchRequest.Parts(
              parts.without(job ->
                  depths.letIn(List.of(job)).map(full -> SubmitRefusals.full(Of.ONE_JOB, full))));
    };
  }

  private BatchRequest read(HttpServletRequest request, JsonObject body) {
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    return BatchRequest.read(body, named(key), key);
  }

  private NamedPolicies.OfRequest named(@Nullable IdempotencyKey key) {
    return key == null ? policies.forRequest() : policies.forRequest(() -> queue.named(key));
  }

  /** The policies that one request may name. */
  public PolicyNames policies() {
    return policies.forRequest();
  }

  /** Refuses a job for which its queue has no room. */
  public void requireRoom(NewJob job) throws SQLException {
    requireRoom(new Submission(List.of(job), Set.of(), null));
  }

  /** What is stored already needs no room. */
  private void requireRoom(Submission submission) throws SQLException {
    QueueDepths.Full full = depths.letIn(submission.jobs()).orElse(null);
    if (full != null && !queue.isStored(submission)) {
      throw SubmitRefusals.full(Of.ALL, full);
    }
  }
}
