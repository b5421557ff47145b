package dev.ebb.api.jobs.change;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.MergePatch;
import dev.ebb.api.jobs.DeliverySecrets;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobFields;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.api.jobs.submit.Arrivals;
import dev.ebb.api.jobs.submit.EffectivePolicy;
import dev.ebb.api.jobs.submit.JobBodies;
import dev.ebb.api.jobs.submit.SubmitRefusals;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobChanges;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.view.JobView;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Changes jobs, and makes new ones of them, by merge patches over what their senders said.
 *
 * <p>To change a payload needs the right to see it: a delivery that keeps its body but gets another
 * URL would show the body to its new receiver.
 */
@Controller
@RequestMapping(produces = "application/json")
public final class JobEditsController {
  private final Bodies bodies;
  private final JobBodies jobs;
  private final JobChanges changes;
  private final Queues queues;
  private final Arrivals arrivals;
  private final JobAnswers answers;

  JobEditsController(
      Bodies bodies,
      JobBodies jobs,
      JobChanges changes,
      Queues queues,
      JobAnswers answers,
      Arrivals arrivals) {
    this.bodies = bodies;
    this.jobs = jobs;
    this.changes = changes;
    this.queues = queues;
    this.arrivals = arrivals;
    this.answers = answers;
  }

  @PatchMapping("/v1/jobs/{id}")
  @Needs(Scope.JOBS_OPERATE)
  Answer patch(HttpServletRequest request, @PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    JsonObject body = bodies.mergePatch(request);
    Caller caller = Caller.of(request);
    Act act = act(request, body, JobFields.ofPatch());
    JobView seen = answers.view(id);
    JobAnswers.requireMeant(request, seen);
    if (seen.state() != JobState.AVAILABLE) {
      throw answers.wrongState(id, caller);
    }
    NewJob fields = merged(JobDocument.of(seen), seen, body, caller);
    if (body.has("payload") || body.has("labels") || body.has("uniqueKey")) {
      jobs.requireNoCards(fields);
    }
    if (body.has("payload")) {
      jobs.requireDestination(fields);
    }
    if (!patch(seen, resolved(fields), act, body)) {
      throw changedMeanwhile(id, caller);
    }
    arrivals.tellOf(seen.queue());
    return answers.changed(id, caller);
  }

  private static Act act(HttpServletRequest request, JsonObject body, String... fields) {
    body.allow(fields);
    Caller caller = Caller.of(request);
    if (body.has("payload") && !caller.may(Scope.PAYLOAD_READ)) {
      throw Refusal.lacksScope(Scope.PAYLOAD_READ.word());
    }
    return caller.act(request, body);
  }

  private NewJob merged(String document, JobView before, JsonObject body, Caller caller) {
    JsonObject patch = patch(body);
    NewJob job = JobResource.read(MergePatch.apply(document, patch), jobs.policies());
    DeliverySecrets.requireGiven(before, job, patch);
    answers.requireUnmasked(before, job, caller);
    return job;
  }

  /** No job is without a payload: null leaves it as it is. */
  private static JsonObject patch(JsonObject body) {
    JsonObject patch = body.without("reason");
    return patch.has("payload") ? patch : patch.without("payload");
  }

  /** With the attempts that it would have been submitted with. */
  private NewJob resolved(NewJob job) throws SQLException {
    return job.maxAttempts() == null
        ? job.toBuilder().maxAttempts(EffectivePolicy.of(job, queues).maxAttempts()).build()
        : job;
  }

  private boolean patch(JobView seen, NewJob fields, Act act, JsonObject body) throws SQLException {
    try {
      return changes.patch(seen, fields, act);
    } catch (InvalidInput invalid) {
      throw body.refused(invalid);
    }
  }

  private Refusal changedMeanwhile(UUID id, Caller caller) throws SQLException {
    return answers.view(id).state() == JobState.RUNNING
        ? answers.wrongState(id, caller)
        : JobAnswers.stale();
  }

  @PostMapping("/v1/jobs/{id}/clone")
  @Needs(Scope.JOBS_OPERATE)
  Answer submitClone(HttpServletRequest request, @PathVariable("id") String path)
      throws SQLException {
    UUID origin = JobIds.parse(path);
    JsonObject body = bodies.optional(request, JobFields.ofClone());
    Act act = act(request, body, JobFields.ofClone());
    IdempotencyKey key = IdempotencyKeys.of(request, body);
    // Before the origin is looked at: it is no longer what the first request saw.
    Optional<SubmitAnswer> known = key == null ? Optional.empty() : changes.knownClone(key);
    SubmitAnswer answer =
        known.isPresent() ? known.get() : cloned(origin, body, Caller.of(request), act, key);
    SubmitAnswer.Stored written = SubmitRefusals.stored(answer, null);
    UUID id = written.jobs().getFirst().id();
    if (known.isPresent()) {
      arrivals.countRepeated(answers.readBack(id));
    }
    return IdempotencyKeys.told(
        Answer.created(SubmitRefusals.path(id), answers.written(id, Caller.of(request))),
        written.replayed());
  }

  private SubmitAnswer cloned(
      UUID origin, JsonObject body, Caller caller, Act act, @Nullable IdempotencyKey key)
      throws SQLException {
    JobView seen = answers.view(origin);
    NewJob clone = merged(JobDocument.cloneOf(seen), seen, body, caller);
    jobs.requireNoCards(clone);
    jobs.requireRoom(clone);
    SubmitAnswer answer = changes.submitClone(origin, clone, act, key);
    if (answer instanceof SubmitAnswer.Stored written) {
      arrivals.tell(List.of(clone), written);
    }
    return answer;
  }
}
