package dev.ebb.api.database;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.core.access.Scope;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows how the database is. */
@RestController
@RequestMapping(produces = "application/json")
public final class DatabaseController {
  private final DatabaseReports reports;

  DatabaseController(DatabaseReports reports) {
    this.reports = reports;
  }

  /** Addresses of clients are for those who may read the audit, as they are there. */
  @GetMapping("/v1/database")
  @Needs(Scope.JOBS_READ)
  ResponseEntity<byte[]> show(HttpServletRequest request) throws SQLException {
    boolean addresses = Caller.of(request).may(Scope.PAYLOAD_READ);
    return Answer.ok(DatabaseResource.of(reports.latest(), addresses));
  }
}
