package dev.ebb.api.jobs;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
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
  private final JobAnswers answers;
  private final JobList list;

  JobsController(JobReads reads) {
    this.reads = reads;
    this.answers = new JobAnswers(reads, clock);
    this.list = new JobList(reads);
  }

  @GetMapping("/v1/jobs")
  @QueryParameters({"queue", "state", "kind", "cursor", "limit"})
  ResponseEntity<byte[]> list(HttpServletRequest request) throws SQLException {
    return Answer.ok(list.page(Query.of(request), clock.instant()));
  }

  @GetMapping("/v1/jobs/{id}")
  ResponseEntity<byte[]> find(@PathVariable String id) throws SQLException {
    return Answer.ok(answers.find(JobIds.parse(id)));
  }

  @GetMapping("/v1/jobs/{id}/attempts")
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
    return Answer.ok(AttemptResource.page(page));
  }
}
