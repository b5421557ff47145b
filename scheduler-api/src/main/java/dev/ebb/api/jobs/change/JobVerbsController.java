package dev.ebb.api.jobs.change;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Job;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.JobChanges;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.view.JobView;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** An operator's actions on one job: cancel, retry now, skip, redrive. */
@Controller
@RequestMapping(produces = "application/json")
public final class JobVerbsController {
  private final Bodies bodies;
  private final JobChanges changes;
  private final Notifier notifier;
  private final JobAnswers answers;

  JobVerbsController(Bodies bodies, JobChanges changes, JobAnswers answers, Notifier notifier) {
    this.bodies = bodies;
    this.changes = changes;
    this.notifier = notifier;
    this.answers = answers;
  }

  @PostMapping("/v1/jobs/{id}/cancel")
  @Needs(Scope.JOBS_OPERATE)
  Answer cancel(HttpServletRequest request, @PathVariable String id) throws SQLException {
    return apply(request, id, bodies.optional(request, "reason"), new JobAction.Cancel());
  }

  @PostMapping("/v1/jobs/{id}/retry")
  @Needs(Scope.JOBS_OPERATE)
  Answer retry(HttpServletRequest request, @PathVariable String id) throws SQLException {
    JsonObject body = bodies.optional(request, "reason", "resetAttempts");
    boolean resetAttempts = body.flag("resetAttempts", false);
    return apply(request, id, body, new JobAction.Retry(resetAttempts));
  }

  @PostMapping("/v1/jobs/{id}/skip")
  @Needs(Scope.JOBS_OPERATE)
  Answer skip(HttpServletRequest request, @PathVariable String id) throws SQLException {
    JobView job = answers.view(JobIds.parse(id));
    JsonObject body = bodies.optional(request, "reason");
    if (job.orderingKey() == null) {
      throw Refusal.of(
          ProblemCode.WRONG_STATE, "The job has no orderingKey, so no other waits for it.");
    }
    Answer skipped = apply(request, id, body, new JobAction.Skip());
    notifier.workArrived(job.queue());
    return skipped;
  }

  /** A redriven job restarts its queue's warm-up, unless {@code warmUp=false}. */
  @PostMapping("/v1/jobs/{id}/redrive")
  @Needs(Scope.JOBS_OPERATE)
  @QueryParameters("warmUp")
  Answer redrive(HttpServletRequest request, @PathVariable String id) throws SQLException {
    boolean warmUp = Query.of(request).flag("warmUp", true);
    JsonObject body = bodies.optional(request, "reason", "resetAttempts");
    boolean resetAttempts = body.flag("resetAttempts", true);
    return apply(request, id, body, new JobAction.Redrive(warmUp, resetAttempts));
  }

  private Answer apply(HttpServletRequest request, String path, JsonObject body, JobAction action)
      throws SQLException {
    UUID id = JobIds.parse(path);
    Caller caller = Caller.of(request);
    Act act = caller.act(request, body);
    return switch (changes.act(id, action, act)) {
      case DONE -> done(id, caller);
      case REQUESTED -> {
        notifier.cancelRequested();
        yield Answer.of(HttpStatus.ACCEPTED, answers.written(id, caller));
      }
      case NOT_FOUND -> throw JobAnswers.unknown(id);
      case WRONG_STATE -> throw answers.wrongState(id, caller);
      case UNIQUE_KEY_TAKEN ->
          throw Refusal.of(
              ProblemCode.UNIQUE_KEY_TAKEN,
              "Another job of this kind with the same uniqueKey has not ended.");
      case PAYLOAD_ERASED ->
          throw Refusal.of(
              ProblemCode.PAYLOAD_ERASED, "Without its payload the job cannot run again.");
    };
  }

  private Answer done(UUID id, Caller caller) {
    Object job = answers.written(id, caller);
    // Of a key that lost a job, the next one may start.
    if (job instanceof Job resource && (resource.isAvailable() || resource.orderingKey() != null)) {
      notifier.workArrived(resource.queue());
    }
    return Answer.ok(job);
  }
}
