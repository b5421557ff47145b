package dev.ebb.api.jobs.submit;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.RefusalCause;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submitted;

/** One job of a batch. */
sealed interface BatchPart {
  /**
   * It keeps the rules, and is to be stored.
   *
   * @param isStrict whether it must not be a duplicate
   * @param pointer to its place in the body
   */
  record Wanted(NewJob job, boolean isStrict, String pointer) implements BatchPart {
    /** What it is after the submit. */
    BatchPart written(Submitted submitted) {
      return isStrict && submitted.duplicate()
          ? new Refused(
              SubmitRefusals.duplicate(SubmitRefusals.Of.ONE_JOB, pointer, submitted.id())
                  .problem())
          : new Written(submitted);
    }
  }

  /** It is stored, or a duplicate that may be one. */
  record Written(Submitted submitted) implements BatchPart {}

  /** Nothing is stored for it. */
  record Refused(RefusalCause problem) implements BatchPart {}

  /** The job that the value describes. */
  static BatchPart read(JsonValue value, PolicyNames policies) {
    try {
      JsonObject body = JsonObject.of(value);
      NewJob job = JobResource.read(body, policies);
      return new Wanted(job, OnDuplicate.isRejected(body), value.pointer());
    } catch (Refusal refusal) {
      // One that names no field is not this job's: the policy that it names was not read.
      if (refusal.problem().errors().isEmpty()) {
        throw refusal;
      }
      return new Refused(refusal.problem());
    }
  }
}
