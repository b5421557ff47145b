package dev.ebb.api.jobs.change;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.jobs.submit.Arrivals;
import dev.ebb.contract.Job;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.JobChanges;
import dev.ebb.db.action.ActionResult;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Holds jobs and releases them, and erases their payloads. */
@Controller
public final class JobHoldsController {
  private final Bodies bodies;
  private final JobChanges changes;
  private final Arrivals arrivals;
  private final JobAnswers answers;

  JobHoldsController(Bodies bodies, JobChanges changes, JobAnswers answers, Arrivals arrivals) {
    this.bodies = bodies;
    this.changes = changes;
    this.arrivals = arrivals;
    this.answers = answers;
  }

  @PostMapping(path = "/v1/jobs/{id}/hold", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer hold(HttpServletRequest request, @PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    JsonObject body = bodies.optional(request, "reason", "until");
    Instant until = body.optional("until", JsonValue::instant);
    Caller caller = Caller.of(request);
    require(hold(id, until, caller.act(request, body), body), id, caller);
    return Answer.ok(answers.written(id, caller));
  }

  private ActionResult hold(UUID id, @Nullable Instant until, Act act, JsonObject body)
      throws SQLException {
    try {
      return changes.act(id, new JobAction.Hold(until), act);
    } catch (InvalidInput past) {
      throw body.refused(past);
    }
  }

  @PostMapping(path = "/v1/jobs/{id}/release", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer release(HttpServletRequest request, @PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    Caller caller = Caller.of(request);
    Act act = caller.act(request, bodies.optional(request, "reason"));
    require(changes.act(id, new JobAction.Release(), act), id, caller);
    Object job = answers.written(id, caller);
    if (job instanceof Job resource) {
      arrivals.tellOf(resource.queue());
    }
    return Answer.ok(job);
  }

  /** A caller that may see a payload and act on its job may have it forgotten. */
  @DeleteMapping("/v1/jobs/{id}/payload")
  @Needs({Scope.JOBS_OPERATE, Scope.PAYLOAD_READ})
  Answer erase(HttpServletRequest request, @PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    Caller caller = Caller.of(request);
    Act act = caller.act(request, bodies.optional(request, "reason"));
    require(changes.erase(id, act), id, caller);
    return Answer.none();
  }

  private void require(ActionResult result, UUID id, Caller caller) throws SQLException {
    if (result == ActionResult.NOT_FOUND) {
      throw JobAnswers.unknown(id);
    }
    if (result != ActionResult.DONE) {
      throw answers.wrongState(id, caller);
    }
  }
}
