package dev.ebb.api.jobs.submit;

import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.policies.NamedPolicies;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.RefusalCause;
import dev.ebb.contract.Violation;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A batch of jobs as a body describes it. */
sealed interface BatchRequest {
  int MAX_JOBS = 1000;
  int MAX_ERRORS = 20;

  /** Jobs that all keep the rules, and are stored together or not at all. */
  record Whole(Submission submission) implements BatchRequest {}

  /** Jobs of which each stands for itself. */
  record Parts(PartialBatch batch) implements BatchRequest {}

  /**
   * Reads a body.
   *
   * @param key under which it may be repeated, if it is whole; {@code null} for none
   */
  static BatchRequest read(
      JsonObject body, NamedPolicies.OfRequest policies, @Nullable IdempotencyKey key) {
    body.allow("atomic", "jobs");
    boolean atomic = body.flag("atomic", true);
    List<JsonValue> items = body.required("jobs").list(MAX_JOBS + 1);
    if (items.isEmpty() || items.size() > MAX_JOBS) {
      throw Refusal.field("/jobs", "must hold 1 to " + MAX_JOBS + " jobs");
    }
    if (atomic) {
      return new Whole(whole(items, policies, key));
    }
    if (key != null) {
      throw IdempotencyKeys.notOfParts();
    }
    return new Parts(
        new PartialBatch(items.stream().map(item -> BatchPart.read(item, policies)).toList()));
  }

  private static Submission whole(
      List<JsonValue> items, NamedPolicies.OfRequest policies, @Nullable IdempotencyKey key) {
    List<NewJob> jobs = new ArrayList<>();
    Set<Integer> strict = new HashSet<>();
    List<Violation> errors = new ArrayList<>();
    for (JsonValue item : items) {
      BatchPart part = BatchPart.read(item, policies);
      if (part instanceof BatchPart.Refused(RefusalCause problem)) {
        errors.addAll(problem.errors());
      } else if (part instanceof BatchPart.Wanted(NewJob job, boolean isStrict, _)) {
        if (isStrict) {
          strict.add(jobs.size());
        }
        jobs.add(job);
      }
      if (errors.size() >= MAX_ERRORS) {
        break;
      }
    }
    if (!errors.isEmpty()) {
      throw Refusal.fields(errors);
    }
    return new Submission(jobs, strict, key, policies.stored());
  }
}
