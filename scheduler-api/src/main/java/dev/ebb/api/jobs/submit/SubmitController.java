package dev.ebb.api.jobs.submit;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.contract.BatchItem;
import dev.ebb.contract.BatchResult;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Submits jobs. */
@Controller
@RequestMapping(produces = "application/json")
public final class SubmitController {
  private final JobBodies bodies;
  private final TestDeliveries tests;
  private final Submitter submitter;
  private final Submits submits;
  private final JobAnswers answers;
  private final Arrivals arrivals;

  SubmitController(
      JobBodies bodies,
      TestDeliveries tests,
      Submitter submitter,
      Submits submits,
      JobAnswers answers,
      Arrivals arrivals) {
    this.bodies = bodies;
    this.tests = tests;
    this.submitter = submitter;
    this.submits = submits;
    this.answers = answers;
    this.arrivals = arrivals;
  }

  @PostMapping("/v1/jobs")
  @Needs(Scope.JOBS_SUBMIT)
  Answer submit(HttpServletRequest request) throws Exception {
    Submission submission = bodies.one(request);
    NewJob job = submission.jobs().getFirst();
    SubmitAnswer answer = submits.one(submission, request);
    SubmitAnswer.Stored written = SubmitRefusals.stored(answer, null);
    arrivals.count(submission.jobs(), written);
    return shown(job, written, Caller.of(request));
  }

  /** Tries a destination by a job of its own. */
  @PostMapping("/v1/destinations/{destination}/test")
  @Needs(Scope.JOBS_SUBMIT)
  Answer test(HttpServletRequest request, @PathVariable String destination) throws Exception {
    NewJob job = tests.read(request, destination);
    bodies.requireRoom(job);
    Submission one = new Submission(List.of(job), Set.of(), null);
    SubmitAnswer.Stored written = SubmitRefusals.stored(submitter.submit(one), null);
    arrivals.count(one.jobs(), written);
    return shown(job, written, Caller.of(request));
  }

  private Answer shown(NewJob job, SubmitAnswer.Stored written, Caller caller) {
    Submitted submitted = written.jobs().getFirst();
    UUID id = submitted.id();
    Submitted.Stored stored = submitted.stored();
    return stored == null
        ? told(Answer.ok(answers.duplicate(id, caller)), written)
        : told(
            Answer.created(SubmitRefusals.path(id), answers.stored(id, job, stored, caller)),
            written);
  }

  @PostMapping("/v1/jobs/batch")
  @Needs(Scope.JOBS_SUBMIT)
  Answer submitBatch(HttpServletRequest request) throws Exception {
    return switch (bodies.batch(request)) {
      case BatchRequest.Whole(Submission batch) -> submit(batch, request);
      case BatchRequest.Parts(PartialBatch batch) -> Answer.ok(submit(batch, request));
    };
  }

  private Answer submit(Submission batch, HttpServletRequest request) throws SQLException {
    SubmitAnswer.Stored written = store(batch, request);
    arrivals.tell(batch.jobs(), written);
    return told(Answer.of(HttpStatus.CREATED, new BatchResult(items(written.jobs()))), written);
  }

  private BatchResult submit(PartialBatch batch, HttpServletRequest request) throws SQLException {
    List<NewJob> jobs = batch.jobs();
    // None of them has to be new: one that is a duplicate is refused without the others.
    List<Submitted> submitted =
        jobs.isEmpty() ? List.of() : store(new Submission(jobs, Set.of(), null), request).jobs();
    PartialBatch written = batch.written(submitted);
    arrivals.tell(batch.jobsOf(written), new SubmitAnswer.Stored(written.submitted(), false));
    return new BatchResult(
        written.items(request.getRequestURI(), items(written.submitted()), BatchItem::refused));
  }

  private static List<BatchItem> items(List<Submitted> submitted) {
    return submitted.stream()
        .map(one -> new BatchItem(one.id().toString(), one.duplicate(), null))
        .toList();
  }

  private SubmitAnswer.Stored store(Submission batch, HttpServletRequest request)
      throws SQLException {
    SubmitAnswer answer = submits.batch(batch, request);
    return SubmitRefusals.stored(answer, "/jobs");
  }

  private static Answer told(Answer answer, SubmitAnswer.Stored written) {
    return IdempotencyKeys.told(answer, written.replayed());
  }
}
