package dev.ebb.api.database;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.core.access.Scope;
import dev.ebb.db.submit.LostJobs;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows how the database is. */
@Controller
@RequestMapping(produces = "application/json")
public final class DatabaseController {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1000;
  private static final UUID FIRST = new UUID(0, 0);

  private final DatabaseReports reports;
  private final LostJobs lost;

  DatabaseController(DatabaseReports reports, LostJobs lost) {
    this.reports = reports;
    this.lost = lost;
  }

  /** Lists what was acknowledged, and lost by a failover or a restore. */
  @GetMapping("/v1/database/lost-jobs")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer lostJobs(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    UUID after = Objects.requireNonNullElse(Ids.cursor(query.value("cursor")), FIRST);
    return Answer.ok(LostJobResource.page(lost.page(after, limit), limit));
  }

  /** Addresses of clients are for those who may read the audit, as they are there. */
  @GetMapping("/v1/database")
  @Needs(Scope.JOBS_READ)
  Answer show(Caller caller) throws SQLException {
    DatabaseHealth report = reports.latest();
    return Answer.ok(
        caller.may(Scope.PAYLOAD_READ) ? report : DatabaseResource.withoutAddresses(report));
  }
}
