package dev.ebb.api.nodes;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.node.NodeView;
import dev.ebb.db.node.Nodes;
import dev.ebb.db.notify.Notifier;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows the nodes, and has those drain that run a worker. */
@Controller
@RequestMapping(produces = "application/json")
public final class NodesController {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1000;

  private final Bodies bodies;
  private final Nodes nodes;
  private final Notifier notifier;

  NodesController(Bodies bodies, Nodes nodes, Notifier notifier) {
    this.bodies = bodies;
    this.nodes = nodes;
    this.notifier = notifier;
  }

  @GetMapping("/v1/nodes")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    String cursor = query.value("cursor");
    return Answer.ok(NodeResource.page(nodes.page(cursor == null ? "" : cursor, limit), limit));
  }

  @GetMapping("/v1/nodes/{id}")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String id) throws SQLException {
    return Answer.ok(NodeResource.of(nodes.find(id).orElseThrow(() -> unknown(id))));
  }

  /** Has the node claim no more; what runs there goes on. */
  @PostMapping("/v1/nodes/{id}/drain")
  @Needs(Scope.JOBS_OPERATE)
  Answer drain(HttpServletRequest request, @PathVariable String id) throws SQLException {
    return setDraining(request, id, true);
  }

  /** Has the node claim again. */
  @PostMapping("/v1/nodes/{id}/undrain")
  @Needs(Scope.JOBS_OPERATE)
  Answer undrain(HttpServletRequest request, @PathVariable String id) throws SQLException {
    return setDraining(request, id, false);
  }

  private Answer setDraining(HttpServletRequest request, String id, boolean draining)
      throws SQLException {
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    NodeView node = nodes.setDraining(id, draining, act).orElseThrow(() -> unknown(id));
    if (node.state() == NodeView.State.STOPPED) {
      throw Refusal.of(ProblemCode.WRONG_STATE, "The node has stopped.");
    }
    if (!node.facts().hasWorker()) {
      throw Refusal.of(ProblemCode.WRONG_STATE, "The node runs no worker to drain.");
    }
    notifier.drainChanged();
    return Answer.ok(NodeResource.of(node));
  }

  private static Refusal unknown(String id) {
    return Refusal.of(
        ProblemCode.NODE_NOT_FOUND, "No node " + id + " has been heard of within a day.");
  }
}
