package dev.ebb.api.jobs;

import dev.ebb.api.http.Bodies;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.queue.QueueDepths;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** Reads the jobs that a request submits, and refuses those for which their queue has no room. */
public final class JobBodies {
  private final Bodies bodies;
  private final NamedPolicies policies;
  private final QueueDepths depths;

  JobBodies(Bodies bodies, NamedPolicies policies, QueueDepths depths) {
    this.bodies = bodies;
    this.policies = policies;
    this.depths = depths;
  }

  NewJob one(HttpServletRequest request) {
    NewJob job = JobResource.read(bodies.object(request), policies.forRequest());
    requireRoom(List.of(job));
    return job;
  }

  List<NewJob> batch(HttpServletRequest request) throws Exception {
    List<NewJob> jobs =
        bodies.batch(request, body -> BatchRequest.read(body, policies.forRequest()));
    requireRoom(jobs);
    return jobs;
  }

  private void requireRoom(List<NewJob> jobs) {
    depths
        .letIn(jobs)
        .ifPresent(full -> {
          throw Refusal.queueFull(
              "The queue %s has a maxDepth of %d, and no room. Nothing was stored."
                  .formatted(full.queue(), full.maxDepth()));
        });
  }
}
