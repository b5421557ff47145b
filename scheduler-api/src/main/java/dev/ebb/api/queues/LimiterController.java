package dev.ebb.api.queues;

import static dev.ebb.api.queues.QueuesController.requireName;
import static dev.ebb.api.queues.QueuesController.unknown;
import static java.util.Objects.requireNonNull;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows where a queue's limiter stands, or would with another limit; restarts its warm-up. */
@Controller
@RequestMapping(produces = "application/json")
public final class LimiterController {
  private final Bodies bodies;
  private final Queues queues;
  private final Limiters limiters;

  LimiterController(Bodies bodies, Queues queues, Limiters limiters) {
    this.bodies = bodies;
    this.queues = queues;
    this.limiters = limiters;
  }

  /** The state of the queue's limiter. */
  @GetMapping("/v1/queues/{queue}/limiter")
  @Needs(Scope.JOBS_READ)
  Answer limiter(@PathVariable String queue) throws SQLException {
    requireName(queue);
    Optional<Limiters.LimiterView> seen = limiters.find(queue);
    if (seen.isEmpty()) {
      requireThere(queue);
    }
    return Answer.ok(seen.map(LimiterResource::of).orElseGet(LimiterResource::unlimited));
  }

  /** The state as it would be if the queue had that limit from now on; nothing is changed. */
  @PostMapping("/v1/queues/{queue}/limiter/preview")
  @Needs(Scope.JOBS_READ)
  Answer preview(JsonObject body, @PathVariable String queue) throws SQLException {
    requireName(queue);
    body.allow("rateLimit");
    body.required("rateLimit");
    RateLimit limit = requireNonNull(body.rateLimit());
    return Answer.ok(
        limiters
            .find(queue)
            .map(seen -> LimiterResource.of(seen.with(limit)))
            .orElseGet(() -> LimiterResource.cold(limit)));
  }

  /** Restarts the queue's warm-up. */
  @PostMapping("/v1/queues/{queue}/warm-up")
  @Needs(Scope.JOBS_OPERATE)
  Answer warmUp(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    if (!limiters.restartWarmUp(queue, act)) {
      requireThere(queue);
      throw Refusal.of(ProblemCode.WRONG_STATE, "The queue has no rateLimit with a warmUp.");
    }
    return limiter(queue);
  }

  private void requireThere(String queue) throws SQLException {
    if (queues.find(queue).isEmpty()) {
      throw unknown(queue);
    }
  }
}
