package dev.ebb.api.operations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.core.access.Scope;
import dev.ebb.db.operation.Operations;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Starts operations, tells beforehand what one would cover, and lists them. */
@Controller
@RequestMapping(produces = "application/json")
public final class OperationsController {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;

  private final Bodies bodies;
  private final OperationStarts starts;
  private final Operations operations;
  private final InstantSource clock = InstantSource.system();

  OperationsController(Bodies bodies, OperationStarts starts, Operations operations) {
    this.bodies = bodies;
    this.starts = starts;
    this.operations = operations;
  }

  /** Tells what the operation would cover, and starts nothing. */
  @PostMapping("/v1/operations/preview")
  @Needs(Scope.JOBS_OPERATE)
  Answer preview(HttpServletRequest request) throws Exception {
    JsonObject body = bodies.object(request);
    Caller caller = Caller.of(request);
    OperationRequest asked = OperationRequest.read(body, caller, clock.instant());
    var _ = caller.act(request, body);
    return Answer.ok(starts.look(asked));
  }

  @PostMapping("/v1/operations")
  @Needs(Scope.JOBS_OPERATE)
  Answer start(HttpServletRequest request) throws Exception {
    JsonObject body = bodies.object(request);
    Caller caller = Caller.of(request);
    return starts.start(request, body, () -> OperationRequest.read(body, caller, clock.instant()));
  }

  @GetMapping("/v1/operations")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query, Caller caller) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    UUID before = Ids.cursor(query.value("cursor"));
    return Answer.ok(OperationResource.page(operations.page(before, limit), limit, caller));
  }
}
