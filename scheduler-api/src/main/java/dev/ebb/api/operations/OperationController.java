package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Liveness;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.http.Waits;
import dev.ebb.api.problem.CutAnswer;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.operation.OperationState;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.OperationItem;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Shows one operation and its report, and has it pause, go on or end. */
@Controller
public final class OperationController {
  private static final int ITEMS = 2_000;

  /** With the rest, which follows ten. */
  private static final int MOST_STAGES = 11;

  private static final int MOST_ITEMS = 200;

  private final Bodies bodies;
  private final Operations operations;
  private final Notifier notifier;
  private final OperationWaits waits;

  OperationController(
      Bodies bodies, Operations operations, Notifier notifier, OperationWaits waits) {
    this.bodies = bodies;
    this.operations = operations;
    this.notifier = notifier;
    this.waits = waits;
  }

  /** What people do to an operation. */
  @FunctionalInterface
  private interface Verb {
    Optional<OperationView> on(UUID id, Act act) throws SQLException;
  }

  @GetMapping(path = "/v1/operations/{id}", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("wait")
  Answer find(
      Query query, Caller caller, InetAddress sender, Liveness token, @PathVariable String id)
      throws SQLException, InterruptedException {
    Duration wait = query.duration("wait", Waits.LONGEST, Duration.ZERO);
    UUID seen = OperationIds.parse(id);
    OperationView operation = view(seen);
    if (wait.isPositive() && !operation.state().isFinal()) {
      operation =
          waits.after(operation, sender, wait).orElseThrow(() -> OperationIds.unknown(seen));
      token.require();
    }
    return Answer.ok(OperationResource.of(operation, caller));
  }

  private OperationView view(UUID id) throws SQLException {
    return operations.find(id).orElseThrow(() -> OperationIds.unknown(id));
  }

  @PostMapping(path = "/v1/operations/{id}/pause", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer pause(HttpServletRequest request, @PathVariable String id) throws SQLException {
    return apply(request, id, operations::pause, OperationState.PAUSED);
  }

  @PostMapping(path = "/v1/operations/{id}/resume", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer resume(HttpServletRequest request, @PathVariable String id) throws SQLException {
    Answer resumed = apply(request, id, operations::resume, OperationState.RUNNING);
    notifier.operationStarted();
    return resumed;
  }

  @PostMapping(path = "/v1/operations/{id}/cancel", produces = "application/json")
  @Needs(Scope.JOBS_OPERATE)
  Answer cancel(HttpServletRequest request, @PathVariable String id) throws SQLException {
    return apply(request, id, operations::cancel, OperationState.CANCELLED);
  }

  /** An operation that is as it was asked to be is no conflict: a sender may ask again. */
  private Answer apply(HttpServletRequest request, String path, Verb verb, OperationState wanted)
      throws SQLException {
    UUID id = OperationIds.parse(path);
    Caller caller = Caller.of(request);
    Act act = caller.act(request, bodies.optional(request, "reason"));
    OperationView operation = verb.on(id, act).orElseThrow(() -> OperationIds.unknown(id));
    if (operation.state().isFinal() && operation.state() != wanted) {
      throw Refusal.of(
          ProblemCode.WRONG_STATE, "The operation's state is " + operation.state().word() + ".");
    }
    return Answer.ok(OperationResource.of(operation, caller));
  }

  /** So that somebody looks at them before the operation goes on. */
  @GetMapping(path = "/v1/operations/{id}/items", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"stage", "limit"})
  Answer items(Query query, @PathVariable("id") String path) throws SQLException {
    UUID id = view(OperationIds.parse(path)).id();
    int stage = query.integer("stage", 1, MOST_STAGES, 1);
    int limit = query.integer("limit", 1, MOST_ITEMS, 50);
    return Answer.ok(StageItemsResource.of(operations.stage(id, stage, limit)));
  }

  /** Page by page: neither the report nor a connection to the database is held while it is sent. */
  @GetMapping(path = "/v1/operations/{id}/report", produces = "text/csv")
  @Needs(Scope.JOBS_READ)
  void report(HttpServletResponse response, @PathVariable("id") String path)
      throws SQLException, IOException {
    UUID id = view(OperationIds.parse(path)).id();
    List<OperationItem> items = operations.report(id, null, ITEMS);
    response.setContentType("text/csv;charset=UTF-8");
    response.setHeader("Content-Disposition", "attachment; filename=\"operation-" + id + ".csv\"");
    OutputStream out = response.getOutputStream();
    out.write(OperationReport.HEAD.getBytes(StandardCharsets.UTF_8));
    out.write(OperationReport.lines(items).getBytes(StandardCharsets.UTF_8));
    while (items.size() == ITEMS) {
      items = next(id, items.getLast().job());
      out.write(OperationReport.lines(items).getBytes(StandardCharsets.UTF_8));
    }
  }

  private List<OperationItem> next(UUID operation, UUID after) {
    try {
      return operations.report(operation, after, ITEMS);
    } catch (SQLException e) {
      throw new CutAnswer(e);
    }
  }
}
