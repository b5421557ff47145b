package dev.ebb.api.jobs.waiting;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.contract.Waiting;
import dev.ebb.core.access.Scope;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import dev.ebb.db.waiting.WaitingJob;
import dev.ebb.db.waiting.Waits;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Tells why a job waits. */
@Controller
@RequestMapping(produces = "application/json")
public final class WaitingController {
  private final ExpectedStarts starts;
  private final Waits waits;
  private final JobReads jobs;
  private final Queues queues;
  private final Nodes nodes;

  WaitingController(ExpectedStarts starts, Waits waits, JobReads jobs, Queues queues, Nodes nodes) {
    this.starts = starts;
    this.waits = waits;
    this.jobs = jobs;
    this.queues = queues;
    this.nodes = nodes;
  }

  @GetMapping("/v1/jobs/{id}/waiting")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    Optional<ExpectedStart> live = starts.find(id);
    if (live.isPresent()) {
      return Answer.ok(of(live.get()));
    }
    JobView job = jobs.find(id).orElseThrow(() -> JobAnswers.unknown(id));
    return Answer.ok(WaitingResource.ended(job));
  }

  private Waiting of(ExpectedStart start) throws SQLException {
    WaitingJob job = start.job();
    if (job.run() != null) {
      return WaitingResource.running(job, job.run());
    }
    WaitingReasons reasons = new WaitingReasons(start).standing();
    reasons.nodes(nodes.coverage(job.kind(), job.queue()));
    Waits.Ahead ahead = start.ahead();
    if (ahead != null && start.pause() == null && start.circuit() == null) {
      concurrency(reasons, job.queue());
      reasons.rate(ahead);
      reasons.others(ahead);
    }
    return WaitingResource.waiting(job, start.isInTime() ? start.at() : null, reasons.all());
  }

  private void concurrency(WaitingReasons reasons, String queue) throws SQLException {
    Integer most =
        queues.find(queue).map(QueueView::settings).map(QueueSettings::maxConcurrency).orElse(null);
    if (most != null) {
      reasons.concurrency(waits.inFlight(queue, most), most);
    }
  }
}
