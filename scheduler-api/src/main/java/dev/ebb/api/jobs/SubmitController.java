package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Submits jobs. */
@RestController
@RequestMapping(produces = "application/json")
public final class SubmitController {
  private final Bodies bodies;
  private final Submitter submitter;
  private final JobQueue queue;
  private final JobAnswers answers;
  private final DryRuns dryRuns;
  private final Arrivals arrivals;

  SubmitController(
      Bodies bodies,
      Submitter submitter,
      JobQueue queue,
      JobAnswers answers,
      DryRuns dryRuns,
      Arrivals arrivals) {
    this.bodies = bodies;
    this.submitter = submitter;
    this.queue = queue;
    this.answers = answers;
    this.dryRuns = dryRuns;
    this.arrivals = arrivals;
  }

  @PostMapping("/v1/jobs")
  @Needs(Scope.JOBS_SUBMIT)
  @QueryParameters("dryRun")
  ResponseEntity<byte[]> submit(HttpServletRequest request) throws Exception {
    boolean dryRun = isDryRun(request);
    NewJob job = JobResource.read(bodies.object(request));
    if (dryRun) {
      return Answer.ok(dryRuns.of(job));
    }
    Submitted submitted = submitter.submit(job);
    arrivals.count(List.of(submitted));
    UUID id = submitted.id();
    Caller caller = Caller.of(request);
    Submitted.Stored stored = submitted.stored();
    return stored == null
        ? Answer.ok(answers.duplicate(id, caller))
        : Answer.json(
            ResponseEntity.created(URI.create("/v1/jobs/" + id)),
            answers.stored(id, job, stored, caller));
  }

  private static boolean isDryRun(HttpServletRequest request) {
    return Query.of(request).flag("dryRun", false);
  }

  @PostMapping("/v1/jobs/batch")
  @Needs(Scope.JOBS_SUBMIT)
  @QueryParameters("dryRun")
  ResponseEntity<byte[]> submitBatch(HttpServletRequest request) throws Exception {
    boolean dryRun = isDryRun(request);
    List<NewJob> jobs = bodies.batch(request, BatchRequest::read);
    if (dryRun) {
      return Answer.ok(dryRuns.of(jobs));
    }
    List<Submitted> submitted = queue.submit(jobs);
    arrivals.tell(jobs, submitted);
    return Answer.of(HttpStatus.CREATED, BatchAnswer.of(submitted));
  }
}
