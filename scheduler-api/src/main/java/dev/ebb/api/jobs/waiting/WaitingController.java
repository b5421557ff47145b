package dev.ebb.api.jobs.waiting;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.contract.Waiting;
import dev.ebb.core.access.Scope;
import dev.ebb.core.limit.PermitWait;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import dev.ebb.db.waiting.WaitingJob;
import dev.ebb.db.waiting.Waits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Tells why a job waits. */
@Controller
@RequestMapping(produces = "application/json")
public final class WaitingController {
  private final Waits waits;
  private final JobReads jobs;
  private final Queues queues;
  private final Limiters limiters;
  private final Nodes nodes;

  WaitingController(Waits waits, JobReads jobs, Queues queues, Limiters limiters, Nodes nodes) {
    this.waits = waits;
    this.jobs = jobs;
    this.queues = queues;
    this.limiters = limiters;
    this.nodes = nodes;
  }

  @GetMapping("/v1/jobs/{id}/waiting")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable("id") String path) throws SQLException {
    UUID id = JobIds.parse(path);
    Optional<WaitingJob> live = waits.find(id);
    if (live.isPresent()) {
      return Answer.ok(of(live.get()));
    }
    JobView job = jobs.find(id).orElseThrow(() -> JobAnswers.unknown(id));
    return Answer.ok(WaitingResource.ended(job));
  }

  private Waiting of(WaitingJob job) throws SQLException {
    if (job.run() != null) {
      return WaitingResource.running(job, job.run());
    }
    Optional<QueueView> queue = queues.find(job.queue());
    WaitingReasons reasons =
        new WaitingReasons(job).standing(queue.map(QueueView::pause).orElse(null));
    reasons.nodes(nodes.coverage(job.kind(), job.queue()));
    if (job.isDue() && queue.map(QueueView::pause).isEmpty()) {
      passing(reasons, job, queue.map(QueueView::settings).orElse(null));
    }
    return WaitingResource.waiting(job, reasons.all());
  }

  private void passing(WaitingReasons reasons, WaitingJob job, @Nullable QueueSettings settings)
      throws SQLException {
    Integer most = settings == null ? null : settings.maxConcurrency();
    if (most != null) {
      reasons.concurrency(waits.inFlight(job.queue(), most), most);
    }
    Waits.Ahead ahead = waits.ahead(job);
    Optional<Limiters.LimiterView> seen = limiters.find(job.queue());
    RateLimit rate = seen.map(Limiters.LimiterView::rate).orElse(null);
    if (rate != null) {
      Limiters.LimiterView limiter = seen.get();
      Instant turn = PermitWait.until(rate, limiter.state(), limiter.now(), ahead.jobs() + 1);
      reasons.rate(rate, limiter, turn);
    }
    reasons.others(ahead);
  }
}
