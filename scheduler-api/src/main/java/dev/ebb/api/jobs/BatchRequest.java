package dev.ebb.api.jobs;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.PolicyNames;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.Violation;
import dev.ebb.core.job.NewJob;
import java.util.ArrayList;
import java.util.List;

/** A batch of jobs as a body describes it: all of them keep the rules, or none is read. */
final class BatchRequest {
  static final int MAX_JOBS = 1000;
  private static final int MAX_ERRORS = 20;

  private BatchRequest() {}

  static List<NewJob> read(JsonObject body, PolicyNames policies) {
    body.allow("jobs");
    List<JsonValue> items = body.required("jobs").list(MAX_JOBS + 1);
    if (items.isEmpty() || items.size() > MAX_JOBS) {
      throw Refusal.field("/jobs", "must hold 1 to " + MAX_JOBS + " jobs");
    }
    List<NewJob> jobs = new ArrayList<>(items.size());
    List<Violation> errors = new ArrayList<>();
    for (JsonValue item : items) {
      if (errors.size() < MAX_ERRORS) {
        read(item, policies, jobs, errors);
      }
    }
    if (!errors.isEmpty()) {
      throw Refusal.fields(errors);
    }
    return jobs;
  }

  private static void read(
      JsonValue item, PolicyNames policies, List<NewJob> jobs, List<Violation> errors) {
    try {
      jobs.add(JobResource.read(JsonObject.of(item), policies));
    } catch (Refusal refusal) {
      errors.addAll(refusal.problem().errors());
    }
  }
}
