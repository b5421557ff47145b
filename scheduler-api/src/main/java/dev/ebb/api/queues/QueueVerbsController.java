package dev.ebb.api.queues;

import static dev.ebb.api.queues.QueuesController.requireName;
import static dev.ebb.api.queues.QueuesController.unknown;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.JobState;
import dev.ebb.db.JobQueue;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** An operator's actions on a queue: pause, resume, purge. */
@Controller
@RequestMapping(produces = "application/json")
public final class QueueVerbsController {
  private static final List<String> PURGED =
      List.of(JobState.AVAILABLE.word(), JobState.DEAD_LETTER.word());

  private final Bodies bodies;
  private final Queues queues;
  private final JobQueue jobs;
  private final Notifier notifier;

  QueueVerbsController(Bodies bodies, Queues queues, JobQueue jobs, Notifier notifier) {
    this.bodies = bodies;
    this.queues = queues;
    this.jobs = jobs;
    this.notifier = notifier;
  }

  /** Stops claims of the queue's jobs, perhaps until an instant; running jobs go on. */
  @PostMapping("/v1/queues/{queue}/pause")
  @Needs(Scope.JOBS_OPERATE)
  Answer pause(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    JsonObject body = bodies.optional(request, "reason", "until");
    Instant until = body.optional("until", JsonValue::instant);
    Act act = Caller.of(request).act(request, body);
    return Answer.ok(QueueResource.of(queues.pause(queue, until, act)));
  }

  /** Lets claims go on, along the queue's warm-up curve. */
  @PostMapping("/v1/queues/{queue}/resume")
  @Needs(Scope.JOBS_OPERATE)
  @QueryParameters("warmUp")
  Answer resume(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    boolean warmUp = Query.of(request).flag("warmUp", true);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    QueueView resumed = queues.resume(queue, warmUp, act).orElseThrow(() -> unknown(queue));
    notifier.workArrived(queue);
    return Answer.ok(QueueResource.of(resumed));
  }

  /** Cancels jobs of the queue that do not run, up to a number: the answer tells what is left. */
  @PostMapping("/v1/queues/{queue}/purge")
  @Needs(Scope.JOBS_OPERATE)
  Answer purge(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    JsonObject body = bodies.object(request);
    body.allow("confirm", "states", "reason");
    if (!body.required("confirm").string().equals(queue)) {
      throw Refusal.field("/confirm", "must be the queue's name");
    }
    List<String> states = states(body);
    Act act = Caller.of(request).act(request, body);
    return Answer.ok(
        jobs.purge(
            queue,
            states.contains(JobState.AVAILABLE.word()),
            states.contains(JobState.DEAD_LETTER.word()),
            act));
  }

  private static List<String> states(JsonObject body) {
    List<String> states = body.strings("states", PURGED.size() + 1);
    if (states.isEmpty()) {
      return List.of(JobState.AVAILABLE.word());
    }
    if (states.size() > PURGED.size() || !PURGED.containsAll(states)) {
      throw Refusal.field("/states", "must be among " + String.join(", ", PURGED));
    }
    return states;
  }
}
