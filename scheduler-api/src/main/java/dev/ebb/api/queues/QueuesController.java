package dev.ebb.api.queues;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows queues and sets their settings. */
@RestController
@RequestMapping(produces = "application/json")
public final class QueuesController {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(QueuesController.class);

  private final Bodies bodies;
  private final Queues queues;
  private final Limiters limiters;
  private final Notifier notifier;

  QueuesController(Bodies bodies, Queues queues, Limiters limiters, Notifier notifier) {
    this.bodies = bodies;
    this.queues = queues;
    this.limiters = limiters;
    this.notifier = notifier;
  }

  @GetMapping("/v1/queues")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  ResponseEntity<byte[]> list(HttpServletRequest request) throws SQLException {
    Query query = Query.of(request);
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    return Answer.ok(QueueResource.page(queues.page(cursor(query.value("cursor")), limit)));
  }

  /** The cursor is the name of the last queue that was shown. */
  private static @Nullable String cursor(@Nullable String cursor) {
    try {
      if (cursor != null) {
        NewJob.requireQueue(cursor);
      }
      return cursor;
    } catch (InvalidInput invalid) {
      throw Refusal.unknownCursor();
    }
  }

  @GetMapping("/v1/queues/{queue}")
  @Needs(Scope.JOBS_READ)
  ResponseEntity<byte[]> find(@PathVariable String queue) throws SQLException {
    requireName(queue);
    return Answer.ok(QueueResource.of(stored(queue)));
  }

  /**
   * Replaces the settings: {@code paused} is required, a policy that is left out is the default,
   * and a limit that is left out is none.
   */
  @PutMapping("/v1/queues/{queue}")
  @Needs(Scope.QUEUES_ADMIN)
  @QueryParameters("warmUp")
  ResponseEntity<byte[]> put(HttpServletRequest request, @PathVariable String queue)
      throws SQLException {
    requireName(queue);
    JsonObject body = bodies.object(request);
    boolean warmUp = Query.of(request).flag("warmUp", true);
    QueueSettings settings = settings(body);
    Act act = Caller.of(request).act(request, body);
    boolean created = queues.put(queue, settings, warmUp, act);
    if (!settings.paused()) {
      notifier.workArrived(queue);
    }
    QueueResource resource = QueueResource.written(queue, settings, createdAt(queue));
    return created
        ? Answer.json(ResponseEntity.created(URI.create("/v1/queues/" + queue)), resource)
        : Answer.ok(resource);
  }

  private static QueueSettings settings(JsonObject body) {
    body.allow("paused", "policy", "rateLimit", "maxConcurrency", "reason");
    boolean paused = body.required("paused").bool();
    RetryPolicy policy = body.policy();
    RateLimit rateLimit = body.rateLimit();
    Integer maxConcurrency = body.optional("maxConcurrency", JsonValue::integer);
    return body.build(() -> new QueueSettings(paused, policy, rateLimit, maxConcurrency));
  }

  /** Removes the settings; the queue's jobs follow the defaults. */
  @DeleteMapping("/v1/queues/{queue}")
  @Needs(Scope.QUEUES_ADMIN)
  ResponseEntity<byte[]> delete(HttpServletRequest request, @PathVariable String queue)
      throws SQLException {
    requireName(queue);
    if (!queues.remove(queue, act(request))) {
      throw Refusal.of(
          ProblemCode.QUEUE_NOT_FOUND, "The queue " + queue + " has no settings to remove.");
    }
    notifier.workArrived(queue);
    return ResponseEntity.noContent().build();
  }

  /** Stops claims of the queue's jobs; running jobs go on. */
  @PostMapping("/v1/queues/{queue}/pause")
  @Needs(Scope.JOBS_OPERATE)
  ResponseEntity<byte[]> pause(HttpServletRequest request, @PathVariable String queue)
      throws SQLException {
    return setPaused(request, queue, true, false);
  }

  /** Lets claims go on, along the queue's warm-up curve. */
  @PostMapping("/v1/queues/{queue}/resume")
  @Needs(Scope.JOBS_OPERATE)
  @QueryParameters("warmUp")
  ResponseEntity<byte[]> resume(HttpServletRequest request, @PathVariable String queue)
      throws SQLException {
    return setPaused(request, queue, false, Query.of(request).flag("warmUp", true));
  }

  private ResponseEntity<byte[]> setPaused(
      HttpServletRequest request, String queue, boolean paused, boolean warmUp)
      throws SQLException {
    requireName(queue);
    QueueView now =
        queues.setPaused(queue, paused, warmUp, act(request)).orElseThrow(() -> unknown(queue));
    if (!paused) {
      notifier.workArrived(queue);
    }
    return Answer.ok(QueueResource.of(now));
  }

  /** The state of the queue's limiter. */
  @GetMapping("/v1/queues/{queue}/limiter")
  @Needs(Scope.JOBS_READ)
  ResponseEntity<byte[]> limiter(@PathVariable String queue) throws SQLException {
    requireName(queue);
    Optional<Limiters.Seen> seen = limiters.find(queue);
    if (seen.isEmpty()) {
      var _ = stored(queue);
    }
    return Answer.ok(seen.map(LimiterResource::of).orElseGet(LimiterResource::unlimited));
  }

  /** Restarts the queue's warm-up. */
  @PostMapping("/v1/queues/{queue}/warm-up")
  @Needs(Scope.JOBS_OPERATE)
  ResponseEntity<byte[]> warmUp(HttpServletRequest request, @PathVariable String queue)
      throws SQLException {
    requireName(queue);
    if (!limiters.restartWarmUp(queue, act(request))) {
      var _ = stored(queue);
      throw Refusal.of(ProblemCode.WRONG_STATE, "The queue has no rateLimit with a warmUp.");
    }
    return limiter(queue);
  }

  private Act act(HttpServletRequest request) {
    return Caller.of(request).act(request, bodies.optional(request, "reason"));
  }

  /** A committed write must not look refused, even if it cannot be read back. */
  private @Nullable Instant createdAt(String queue) {
    try {
      return queues.find(queue).map(QueueView::createdAt).orElse(null);
    } catch (SQLException | RuntimeException e) {
      LOG.warn("The queue is written, reading it back failed: {}", e.getMessage());
      return null;
    }
  }

  private QueueView stored(String name) throws SQLException {
    return queues.find(name).orElseThrow(() -> unknown(name));
  }

  private static Refusal unknown(String name) {
    return Refusal.of(
        ProblemCode.QUEUE_NOT_FOUND, "The queue " + name + " has neither settings nor jobs.");
  }

  private static void requireName(String name) {
    try {
      NewJob.requireQueue(name);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
  }
}
