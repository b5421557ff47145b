package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.sql.SQLException;
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
  private final JobBodies bodies;
  private final Submitter submitter;
  private final JobQueue queue;
  private final Notifier notifier;
  private final JobAnswers answers;
  private final Counter stored;
  private final Counter duplicates;

  SubmitController(
      JobBodies bodies,
      Submitter submitter,
      JobQueue queue,
      JobAnswers answers,
      Notifier notifier,
      MeterRegistry meters) {
    this.bodies = bodies;
    this.submitter = submitter;
    this.queue = queue;
    this.notifier = notifier;
    this.answers = answers;
    this.stored = meters.counter("ebb.jobs.submitted");
    this.duplicates = meters.counter("ebb.jobs.deduplicated");
  }

  @PostMapping("/v1/jobs")
  @Needs(Scope.JOBS_SUBMIT)
  ResponseEntity<byte[]> submit(HttpServletRequest request) throws SQLException {
    NewJob job = bodies.one(request);
    Submitted submitted = submitter.submit(job);
    count(List.of(submitted));
    UUID id = submitted.id();
    Caller caller = Caller.of(request);
    Submitted.Stored stored = submitted.stored();
    return stored == null
        ? Answer.ok(answers.duplicate(id, caller))
        : Answer.json(
            ResponseEntity.created(URI.create("/v1/jobs/" + id)),
            answers.stored(id, job, stored, caller));
  }

  @PostMapping("/v1/jobs/batch")
  @Needs(Scope.JOBS_SUBMIT)
  ResponseEntity<byte[]> submitBatch(HttpServletRequest request) throws Exception {
    List<NewJob> jobs = bodies.batch(request);
    List<Submitted> submitted = queue.submit(jobs);
    if (count(submitted) > 0) {
      jobs.stream().map(NewJob::queue).distinct().forEach(notifier::workArrived);
    }
    return Answer.of(HttpStatus.CREATED, BatchAnswer.of(submitted));
  }

  /** Counts what is committed, and answers how many are stored. */
  private int count(List<Submitted> submitted) {
    int repeated = Math.toIntExact(submitted.stream().filter(Submitted::duplicate).count());
    stored.increment(submitted.size() - repeated);
    duplicates.increment(repeated);
    return submitted.size() - repeated;
  }
}
