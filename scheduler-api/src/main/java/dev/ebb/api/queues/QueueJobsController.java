package dev.ebb.api.queues;

import static dev.ebb.api.queues.QueuesController.requireName;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.core.access.Scope;
import dev.ebb.db.forecast.AttemptCounts;
import dev.ebb.db.queue.RunningJobs;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Shows what a queue's jobs do now: how often those were started that wait, which wait for another
 * of their ordering key, and who runs some.
 */
@Controller
@RequestMapping(produces = "application/json")
public final class QueueJobsController {
  private final AttemptCounts waiting;
  private final RunningJobs running;
  private final JobReads jobs;

  QueueJobsController(AttemptCounts waiting, RunningJobs running, JobReads jobs) {
    this.waiting = waiting;
    this.running = running;
    this.jobs = jobs;
  }

  /** A queue that is not known has none. */
  @GetMapping("/v1/queues/{queue}/waiting")
  @Needs(Scope.JOBS_READ)
  Answer waiting(@PathVariable String queue) throws SQLException {
    requireName(queue);
    return Answer.ok(QueueWaitingResource.of(queue, waiting.of(queue)));
  }

  /** The same. */
  @GetMapping("/v1/queues/{queue}/running")
  @Needs(Scope.JOBS_READ)
  Answer running(@PathVariable String queue) throws SQLException {
    requireName(queue);
    return Answer.ok(QueueRunningResource.of(queue, running.of(queue)));
  }

  /** The same. */
  @GetMapping("/v1/queues/{queue}/blocked")
  @Needs(Scope.JOBS_READ)
  Answer blocked(@PathVariable String queue) throws SQLException {
    requireName(queue);
    return Answer.ok(BlockedKeysResource.of(queue, jobs.blockedKeys(queue)));
  }
}
