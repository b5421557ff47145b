package dev.ebb.api.jobs.read;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.audit.AuditPage;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.core.access.Scope;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Shows what people did to a job, for longer than the job itself is kept. Who may read jobs may
 * know who did it and why, as for holds and pauses; by which token and from where is in the audit.
 */
@Controller
@RequestMapping(produces = "application/json")
public final class JobAuditController {
  private final AuditReads audit;
  private final JobReads jobs;

  JobAuditController(AuditReads audit, JobReads jobs) {
    this.audit = audit;
    this.jobs = jobs;
  }

  @GetMapping("/v1/jobs/{id}/audit")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer list(Query query, Caller caller, @PathVariable String id) throws SQLException {
    UUID job = JobIds.parse(id);
    int limit = query.integer("limit", 1, AuditPage.MAX_LIMIT, AuditPage.DEFAULT_LIMIT);
    UUID before = Ids.cursor(query.value("cursor"));
    AuditReads.Page page = audit.list(AuditFilter.of("job", job.toString(), before), limit);
    if (page.entries().isEmpty() && jobs.find(job).isEmpty()) {
      throw JobAnswers.unknown(job);
    }
    return Answer.ok(AuditPage.of(page, caller.may(Scope.PAYLOAD_READ)));
  }
}
