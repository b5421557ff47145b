package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violation;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A batch of jobs as a body describes it: all of them keep the rules, or none is read. */
final class BatchRequest {
  static final int MAX_JOBS = 1000;
  private static final int MAX_ERRORS = 20;

  private final List<NewJob> jobs = new ArrayList<>();
  private final Set<Integer> strict = new HashSet<>();
  private final List<Violation> errors = new ArrayList<>();

  private BatchRequest() {}

  static Submission read(
      JsonObject body, NamedPolicies.OfRequest policies, @Nullable IdempotencyKey key) {
    body.allow("jobs");
    List<JsonValue> items = body.required("jobs").list(MAX_JOBS + 1);
    if (items.isEmpty() || items.size() > MAX_JOBS) {
      throw Refusal.field("/jobs", "must hold 1 to " + MAX_JOBS + " jobs");
    }
    BatchRequest batch = new BatchRequest();
    for (JsonValue item : items) {
      if (batch.errors.size() < MAX_ERRORS) {
        batch.read(item, policies);
      }
    }
    if (!batch.errors.isEmpty()) {
      throw Refusal.fields(batch.errors);
    }
    return new Submission(batch.jobs, batch.strict, key, policies.stored());
  }

  private void read(JsonValue item, PolicyNames policies) {
    try {
      JsonObject body = JsonObject.of(item);
      NewJob job = JobResource.read(body, policies);
      if (OnDuplicate.isRejected(body)) {
        strict.add(jobs.size());
      }
      jobs.add(job);
    } catch (Refusal refusal) {
      // One that names no field is not this job's: the policy that it names was not read.
      if (refusal.problem().errors().isEmpty()) {
        throw refusal;
      }
      errors.addAll(refusal.problem().errors());
    }
  }
}
