package dev.ebb.api.audit;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.core.access.Scope;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows who did what. */
@Controller
@RequestMapping(produces = "application/json")
public final class AuditController {
  private final AuditReads audit;

  AuditController(AuditReads audit) {
    this.audit = audit;
  }

  @GetMapping("/v1/audit")
  @Needs(Scope.PAYLOAD_READ)
  @QueryParameters({"actor", "action", "subject", "from", "to", "cursor", "limit"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, AuditPage.MAX_LIMIT, AuditPage.DEFAULT_LIMIT);
    AuditFilter filter =
        new AuditFilter(
            query.value("actor"),
            query.value("action"),
            query.value("subject"),
            query.instant("from"),
            query.instant("to"),
            Ids.cursor(query.value("cursor")));
    return Answer.ok(AuditPage.of(audit.list(filter, limit), true));
  }
}
