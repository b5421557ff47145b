package dev.ebb.api.queues;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Queue;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;

/** Shows queues, and creates, replaces and removes their settings. */
@Controller
public final class QueuesController {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1000;
  private static final String[] FIELDS = QueueBody.with("paused", "reason");

  private final Bodies bodies;
  private final Queues queues;
  private final Notifier notifier;

  QueuesController(Bodies bodies, Queues queues, Notifier notifier) {
    this.bodies = bodies;
    this.queues = queues;
    this.notifier = notifier;
  }

  @GetMapping(path = "/v1/queues", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    return Answer.ok(QueueResource.page(queues.page(cursor(query.value("cursor")), limit)));
  }

  /** The cursor is the name of the last queue that was shown. */
  public static @Nullable String cursor(@Nullable String cursor) {
    try {
      if (cursor != null) {
        NewJob.requireQueue(cursor);
      }
      return cursor;
    } catch (InvalidInput invalid) {
      throw Refusal.unknownCursor();
    }
  }

  /** Settings have a tag; defaults have none. */
  @GetMapping(path = "/v1/queues/{queue}", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String queue) throws SQLException {
    requireName(queue);
    QueueView found = queues.find(queue).orElseThrow(() -> unknown(queue));
    Queue resource = QueueResource.of(found);
    Answer answer = Answer.ok(resource);
    return found.isConfigured() ? answer.tagged() : answer;
  }

  /**
   * Replaces the settings: {@code paused} is required, a policy that is left out is the default,
   * and a limit that is left out is none.
   */
  @PutMapping(path = "/v1/queues/{queue}", produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  @QueryParameters("warmUp")
  Answer put(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    JsonObject body = bodies.object(request);
    boolean warmUp = Query.of(request).flag("warmUp", true);
    body.allow(FIELDS);
    QueueSettings settings = QueueBody.settings(body, body.required("paused").bool());
    Caller caller = Caller.of(request);
    Act act = caller.act(request, body);
    Consumer<Optional<QueueView>> allowed =
        now -> caller.requireForLabels(labelsFrom(now), settings.labelsFrom());
    Consumer<Optional<QueueView>> meant = Conditions.of(request).forPut(QueueResource::of);
    Queues.QueueWrite written = queues.put(queue, settings, warmUp, act, allowed.andThen(meant));
    if (!settings.paused()) {
      notifier.workArrived(queue);
    }
    Queue resource = QueueResource.of(written.queue());
    return written.created()
        ? Answer.created("/v1/queues/" + queue, resource)
        : Answer.ok(resource);
  }

  /** What a queue's jobs take as labels, where it has settings. */
  public static Map<String, String> labelsFrom(Optional<QueueView> queue) {
    return queue.map(one -> one.settings().labelsFrom()).orElse(Map.of());
  }

  /** Removes the settings of a queue that is empty. */
  @DeleteMapping("/v1/queues/{queue}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String queue) throws SQLException {
    requireName(queue);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    Consumer<Optional<QueueView>> meant = Conditions.of(request).forDelete(QueueResource::of);
    Queues.Removal removal =
        queues.remove(queue, act, meant.andThen(QueuesController::requireNoDestination));
    return switch (removal) {
      case REMOVED -> {
        notifier.workArrived(queue);
        yield Answer.none();
      }
      case NO_SETTINGS ->
          throw Refusal.of(
              ProblemCode.QUEUE_NOT_FOUND, "The queue " + queue + " has no settings to remove.");
      case HAS_JOBS, HAS_LEASES, HAS_DEAD_LETTERS -> throw notEmpty(removal);
    };
  }

  /** A request for settings alone must not take an address with them. */
  private static void requireNoDestination(Optional<QueueView> queue) {
    if (queue.map(one -> one.settings().destination()).isPresent()) {
      throw Refusal.of(
          ProblemCode.QUEUE_NOT_EMPTY,
          "The queue is a destination. Delete it with DELETE /v1/destinations.");
    }
  }

  /** The refusal to remove a queue that has something. */
  public static Refusal notEmpty(Queues.Removal removal) {
    String what =
        switch (removal) {
          case HAS_JOBS -> "jobs that have not ended";
          case HAS_LEASES -> "leases that have not ended";
          case HAS_DEAD_LETTERS -> "dead letters";
          case REMOVED, NO_SETTINGS -> throw new IllegalArgumentException(removal.toString());
        };
    return Refusal.of(ProblemCode.QUEUE_NOT_EMPTY, "The queue has " + what + ".");
  }

  static Refusal unknown(String name) {
    return Refusal.of(
        ProblemCode.QUEUE_NOT_FOUND, "The queue " + name + " has neither settings nor jobs.");
  }

  /** Refuses a parameter that cannot be a queue. */
  public static void requireName(String name) {
    try {
      NewJob.requireQueue(name);
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(invalid.field(), invalid.rule());
    }
  }
}
