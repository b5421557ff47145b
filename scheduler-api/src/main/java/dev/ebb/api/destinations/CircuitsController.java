package dev.ebb.api.destinations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.CircuitList;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.CircuitView;
import dev.ebb.db.queue.Circuits;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Shows the circuits of destinations, has one probe at once, and closes one. */
@Controller
public final class CircuitsController {
  private static final int MOST = 1000;
  private static final String JSON = "application/json";
  private static final String DESTINATION = "/v1/destinations/{destination}";

  private final Bodies bodies;
  private final Circuits circuits;
  private final Notifier notifier;

  CircuitsController(Bodies bodies, Circuits circuits, Notifier notifier) {
    this.bodies = bodies;
    this.circuits = circuits;
    this.notifier = notifier;
  }

  @GetMapping(path = "/v1/circuits", produces = JSON)
  @Needs(Scope.JOBS_READ)
  Answer list() throws SQLException {
    List<CircuitView> found = circuits.troubled(MOST + 1);
    return Answer.ok(
        new CircuitList(
            found.stream().limit(MOST).map(CircuitResource::of).toList(), found.size() <= MOST));
  }

  @GetMapping(path = DESTINATION + "/circuit", produces = JSON)
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String destination) throws SQLException {
    return Answer.ok(CircuitResource.of(known(destination)));
  }

  /** Tries the destination now; a circuit that keeps nothing stays as it is. */
  @PostMapping(path = DESTINATION + "/probe", produces = JSON)
  @Needs(Scope.JOBS_OPERATE)
  Answer probe(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    return act(
        request,
        destination,
        act -> circuits.probe(destination, act) ? List.of(destination) : List.of());
  }

  /** Closes the circuit; one that is closed stays as it is. */
  @PostMapping(path = DESTINATION + "/enable", produces = JSON)
  @Needs(Scope.JOBS_OPERATE)
  Answer enable(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    return act(request, destination, act -> circuits.enable(destination, act));
  }

  /** What people do to a circuit; answers the queues of which jobs may start now. */
  @FunctionalInterface
  private interface Action {
    List<String> by(Act act) throws SQLException;
  }

  private Answer act(HttpServletRequest request, String destination, Action action)
      throws SQLException {
    QueuesController.requireName(destination);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    known(destination);
    action.by(act).forEach(notifier::workArrived);
    return Answer.ok(CircuitResource.of(known(destination)));
  }

  private CircuitView known(String destination) throws SQLException {
    QueuesController.requireName(destination);
    return circuits
        .find(destination)
        .orElseThrow(() -> DestinationsController.unknown(destination));
  }
}
