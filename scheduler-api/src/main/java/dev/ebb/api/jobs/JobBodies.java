package dev.ebb.api.jobs;

import dev.ebb.api.http.Bodies;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.core.job.NewJob;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** Reads the jobs that a request submits. */
public final class JobBodies {
  private final Bodies bodies;
  private final NamedPolicies policies;

  JobBodies(Bodies bodies, NamedPolicies policies) {
    this.bodies = bodies;
    this.policies = policies;
  }

  NewJob one(HttpServletRequest request) {
    return JobResource.read(bodies.object(request), policies.forRequest());
  }

  List<NewJob> batch(HttpServletRequest request) throws Exception {
    return bodies.batch(request, body -> BatchRequest.read(body, policies.forRequest()));
  }
}
