package dev.ebb.api.jobs.change;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.audit.JobNotes;
import dev.ebb.db.view.JobReads;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Keeps what people say of a job, in whatever state it is. */
@Controller
public final class JobNotesController {
  private final Bodies bodies;
  private final JobReads jobs;
  private final JobNotes notes;

  JobNotesController(Bodies bodies, JobReads jobs, JobNotes notes) {
    this.bodies = bodies;
    this.jobs = jobs;
    this.notes = notes;
  }

  @PostMapping("/v1/jobs/{id}/notes")
  @Needs(Scope.JOBS_OPERATE)
  Answer add(HttpServletRequest request, @PathVariable String id) throws SQLException {
    UUID job = JobIds.parse(id);
    JsonObject body = bodies.object(request);
    body.allow("note");
    String note = body.required("note").string();
    Act act = body.build(() -> act(request, note));
    if (jobs.find(job).isEmpty()) {
      throw JobAnswers.unknown(job);
    }
    notes.add(job, act);
    return Answer.none();
  }

  private static Act act(HttpServletRequest request, String note) {
    try {
      return Caller.of(request).act(request, note);
    } catch (InvalidInput invalid) {
      throw new InvalidInput("note", invalid.rule());
    }
  }
}
