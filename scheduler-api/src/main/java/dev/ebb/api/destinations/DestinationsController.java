package dev.ebb.api.destinations;

import static dev.ebb.api.queues.QueuesController.requireName;
import static java.util.Objects.requireNonNull;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.Destination;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;

/** Shows a destination, and creates, changes and removes one. */
@Controller
public final class DestinationsController {
  private static final String JSON = "application/json";
  private static final String PATH = "/v1/destinations/";

  private final Bodies bodies;
  private final Queues queues;
  private final Notifier notifier;
  private final HeaderSealing secrets;

  DestinationsController(Bodies bodies, Queues queues, Notifier notifier, SecretBox box) {
    this.bodies = bodies;
    this.queues = queues;
    this.notifier = notifier;
    this.secrets = new HeaderSealing(queues, box);
  }

  @GetMapping(path = PATH + "{destination}", produces = JSON)
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String destination, Caller caller) throws SQLException {
    return Answer.ok(DestinationResource.of(known(destination), caller)).tagged();
  }

  /** A queue that has settings already becomes a destination with these; its pause stays. */
  @PutMapping(path = PATH + "{destination}", produces = JSON)
  @Needs(Scope.QUEUES_ADMIN)
  Answer put(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    requireName(destination);
    JsonObject body = bodies.object(request);
    QueueSettings settings = DestinationBody.read(body);
    return written(request, destination, body, settings, _ -> {});
  }

  /** A queue that is no destination has the tag of its own resource. */
  private static Function<QueueView, Object> shown(Caller caller) {
    return queue ->
        address(queue) == null ? QueueResource.of(queue) : DestinationResource.of(queue, caller);
  }

  private boolean isOne(QueueView queue) {
    return address(queue) != null;
  }

  /** Changes what a merge patch names. */
  @PatchMapping(path = PATH + "{destination}", produces = JSON)
  @Needs(Scope.QUEUES_ADMIN)
  Answer patch(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    QueueView before = known(destination);
    JsonObject patch = bodies.mergePatch(request);
    QueueSettings settings = DestinationBody.patched(before, patch, Caller.of(request));
    return written(request, destination, patch, settings, now -> requireSame(before, now));
  }

  /** Tags do not tell one secret from another. */
  private static void requireSame(QueueView before, Optional<QueueView> now) {
    if (!now.map(QueueView::settings).equals(Optional.of(before.settings()))) {
      throw Refusal.of(
          ProblemCode.PRECONDITION_FAILED,
          "The resource has changed. GET it again and use the new ETag.");
    }
  }

  private Answer written(
      HttpServletRequest request,
      String name,
      JsonObject body,
      QueueSettings settings,
      Consumer<Optional<QueueView>> meant)
      throws SQLException {
    Caller caller = Caller.of(request);
    Act act = caller.act(request, body);
    Conditions conditions = Conditions.of(request);
    dev.ebb.core.http.Destination given = requireNonNull(settings.destination());
    Queues.QueueWrite written =
        queues.putDestination(
            name,
            settings.to(secrets.sealed(name, given)),
            act,
            now -> {
              conditions.forPut(shown(caller)).accept(now.filter(QueueView::isConfigured));
              meant.accept(now);
              DestinationBody.requireUnmasked(
                  now.map(queue -> secrets.opened(name, address(queue))).orElse(null), given);
              caller.requireForLabels(QueuesController.labelsFrom(now), settings.labelsFrom());
            });
    notifier.workArrived(name);
    Destination resource = DestinationResource.of(written.queue(), caller);
    return written.created() ? Answer.created(PATH + name, resource) : Answer.ok(resource);
  }

  /** Removes a destination that has neither jobs nor dead letters, with all its settings. */
  @DeleteMapping(PATH + "{destination}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    requireName(destination);
    Caller caller = Caller.of(request);
    Act act = caller.act(request, bodies.optional(request, "reason"));
    Conditions conditions = Conditions.of(request);
    Queues.Removal removal =
        queues.remove(
            destination,
            act,
            now -> {
              if (now.filter(this::isOne).isEmpty()) {
                throw unknown(destination);
              }
              conditions.forDelete(shown(caller)).accept(now);
            });
    return switch (removal) {
      case REMOVED -> Answer.none();
      case NO_SETTINGS -> throw unknown(destination);
      case HAS_JOBS, HAS_LEASES, HAS_DEAD_LETTERS -> throw QueuesController.notEmpty(removal);
    };
  }

  private QueueView known(String name) throws SQLException {
    requireName(name);
    return queues.find(name).filter(this::isOne).orElseThrow(() -> unknown(name));
  }

  private static dev.ebb.core.http.@Nullable Destination address(QueueView queue) {
    return queue.settings().destination();
  }

  /** The refusal of a name that is no destination. */
  public static Refusal unknown(String name) {
    return Refusal.of(
        ProblemCode.DESTINATION_NOT_FOUND, "There is no destination named " + name + ".");
  }
}
