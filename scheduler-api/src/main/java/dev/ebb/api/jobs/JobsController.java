package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.core.access.Scope;
import dev.ebb.db.view.AttemptPage;
import dev.ebb.db.view.JobReads;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows jobs and their attempts. */
@RestController
@RequestMapping(produces = "application/json")
public final class JobsController {
  private final JobReads reads;
  private final InstantSource clock = InstantSource.system();
  private final PayloadMask mask;
  private final JobAnswers answers;
  private final JobList list;

  JobsController(JobReads reads, JobAnswers answers, PayloadMask mask) {
    this.mask = mask;
    this.reads = reads;
    this.answers = answers;
    this.list = new JobList(reads);
  }

  @GetMapping("/v1/jobs")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"queue", "state", "kind", "cursor", "limit"})
  ResponseEntity<byte[]> list(HttpServletRequest request) throws SQLException {
    return Answer.ok(list.page(Query.of(request), clock.instant()));
  }

  @GetMapping("/v1/jobs/{id}")
  @Needs(Scope.JOBS_READ)
  ResponseEntity<byte[]> find(HttpServletRequest request, @PathVariable String id)
      throws SQLException {
    return JobAnswers.tagged(answers.find(JobIds.parse(id), Caller.of(request)));
  }

  @GetMapping("/v1/jobs/{id}/attempts")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  ResponseEntity<byte[]> attempts(HttpServletRequest request, @PathVariable String id)
      throws SQLException {
    UUID job = JobIds.parse(id);
    Query query = Query.of(request);
    int limit = query.integer("limit", 1, JobList.MAX_LIMIT, JobList.DEFAULT_LIMIT);
    AttemptPage page = reads.attempts(job, AttemptCursor.read(query.value("cursor")), limit);
    if (page.attempts().isEmpty() && reads.find(job).isEmpty()) {
      throw JobAnswers.unknown(job);
    }
    return Answer.ok(
        AttemptResource.page(page, detail -> mask.attempt(Caller.of(request), detail)));
  }
}
