package dev.ebb.api.stats;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.core.access.Scope;
import dev.ebb.db.stats.SubjectReads;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Shows which subjects get worse. */
@Controller
public final class SubjectsController {
  private static final int DEFAULT_LIMIT = 10;
  private static final int MAX_LIMIT = 50;

  private final SubjectReads subjects;

  SubjectsController(SubjectReads subjects) {
    this.subjects = subjects;
  }

  @GetMapping(path = "/v1/subjects/worsening", produces = "application/json")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("limit")
  Answer worsening(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    return Answer.ok(WorseningResource.of(subjects.worsening(limit)));
  }
}
