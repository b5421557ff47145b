package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
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
  private final Notifier notifier;
  private final JobAnswers answers;
  private final Counter stored;
  private final Counter duplicates;
  private final Counter replayed;

  SubmitController(
      Bodies bodies,
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
    this.replayed = meters.counter("ebb.submits.replayed");
  }

  @PostMapping("/v1/jobs")
  @Needs(Scope.JOBS_SUBMIT)
  ResponseEntity<byte[]> submit(HttpServletRequest request) throws SQLException {
    JsonObject body = bodies.object(request);
    NewJob job = JobResource.read(body);
    Set<Integer> strict = OnDuplicate.isRejected(body) ? Set.of(0) : Set.of();
    SubmitAnswer answer =
        submitter.submit(new Submission(List.of(job), strict, IdempotencyKeys.of(request, body)));
    SubmitAnswer.Stored written = SubmitRefusals.stored(answer, null);
    count(written);
    return shown(job, written, Caller.of(request));
  }

  private ResponseEntity<byte[]> shown(NewJob job, SubmitAnswer.Stored written, Caller caller) {
    Submitted submitted = written.jobs().getFirst();
    UUID id = submitted.id();
    Submitted.Stored stored = submitted.stored();
    return stored == null
        ? Answer.json(begun(HttpStatus.OK, written), answers.duplicate(id, caller))
        : Answer.json(
            begun(HttpStatus.CREATED, written).location(URI.create(SubmitRefusals.path(id))),
            answers.stored(id, job, stored, caller));
  }

  @PostMapping("/v1/jobs/batch")
  @Needs(Scope.JOBS_SUBMIT)
  ResponseEntity<byte[]> submitBatch(HttpServletRequest request) throws Exception {
    Submission batch =
        bodies.batch(request, body -> BatchRequest.read(body, IdempotencyKeys.of(request, body)));
    SubmitAnswer.Stored written = SubmitRefusals.stored(queue.submit(batch), "/jobs");
    if (count(written) > 0) {
      batch.jobs().stream().map(NewJob::queue).distinct().forEach(notifier::workArrived);
    }
    return Answer.json(begun(HttpStatus.CREATED, written), BatchAnswer.of(written.jobs()));
  }

  private static ResponseEntity.BodyBuilder begun(HttpStatus status, SubmitAnswer.Stored written) {
    ResponseEntity.BodyBuilder begun = ResponseEntity.status(status);
    return written.replayed() ? begun.header("Idempotency-Replayed", "true") : begun;
  }

  /** Counts what is committed, and answers how many are stored now. */
  private int count(SubmitAnswer.Stored written) {
    if (written.replayed()) {
      replayed.increment();
      return 0;
    }
    List<Submitted> submitted = written.jobs();
    int repeated = Math.toIntExact(submitted.stream().filter(Submitted::duplicate).count());
    stored.increment(submitted.size() - repeated);
    duplicates.increment(repeated);
    return submitted.size() - repeated;
  }
}
