package dev.ebb.api.jobs;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.core.NewJob;
import dev.ebb.db.Hints;
import dev.ebb.db.JobQueue;
import dev.ebb.db.JobReads;
import dev.ebb.db.Submitted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
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
  private final JobQueue queue;
  private final Hints hints;
  private final JobAnswers answers;
  private final Counter stored;
  private final Counter duplicates;

  SubmitController(
      Bodies bodies, JobQueue queue, JobReads reads, Hints hints, MeterRegistry meters) {
    this.bodies = bodies;
    this.queue = queue;
    this.hints = hints;
    this.answers = new JobAnswers(reads, InstantSource.system());
    this.stored = meters.counter("ebb.jobs.submitted");
    this.duplicates = meters.counter("ebb.jobs.deduplicated");
  }

  @PostMapping("/v1/jobs")
  ResponseEntity<byte[]> submit(HttpServletRequest request) throws SQLException {
    Submitted submitted = store(List.of(JobRequest.read(bodies.object(request)))).getFirst();
    return submitted.duplicate()
        ? Answer.ok(answers.duplicate(submitted.id()))
        : Answer.json(
            ResponseEntity.created(URI.create("/v1/jobs/" + submitted.id())),
            answers.written(submitted.id()));
  }

  @PostMapping("/v1/jobs/batch")
  ResponseEntity<byte[]> submitBatch(HttpServletRequest request) throws SQLException {
    List<Submitted> submitted = store(BatchRequest.read(bodies.batch(request)));
    return Answer.of(HttpStatus.CREATED, BatchAnswer.of(submitted));
  }

  /** Stores the jobs, and once they are committed wakes who waits for them. */
  private List<Submitted> store(List<NewJob> jobs) throws SQLException {
    List<Submitted> submitted = queue.submit(jobs);
    int repeated = Math.toIntExact(submitted.stream().filter(Submitted::duplicate).count());
    stored.increment(submitted.size() - repeated);
    duplicates.increment(repeated);
    if (repeated < submitted.size()) {
      jobs.stream().map(NewJob::queue).distinct().forEach(hints::workArrived);
    }
    return submitted;
  }
}
