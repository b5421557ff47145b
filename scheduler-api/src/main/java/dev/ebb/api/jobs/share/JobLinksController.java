package dev.ebb.api.jobs.share;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.JobLinkList;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.JobLink;
import dev.ebb.db.access.JobLinks;
import dev.ebb.db.view.JobReads;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Makes, lists and revokes links to a job's story. A link shows what the receiver answered, so only
 * who may see that makes one.
 */
@Controller
public final class JobLinksController {
  private static final Duration LIFETIME = Duration.ofDays(7);
  private static final Duration LEAST = Duration.ofMinutes(1);
  private static final Duration MOST = Duration.ofDays(30);
  private static final String LINKS = "/v1/jobs/{id}/links";

  private final Bodies bodies;
  private final JobReads jobs;
  private final JobLinks links;

  JobLinksController(Bodies bodies, JobReads jobs, JobLinks links) {
    this.bodies = bodies;
    this.jobs = jobs;
    this.links = links;
  }

  @GetMapping(path = LINKS, produces = "application/json")
  @Needs(Scope.JOBS_READ)
  Answer list(@PathVariable String id) throws SQLException {
    UUID job = existing(id);
    return Answer.ok(
        new JobLinkList(links.list(job).stream().map(link -> shown(link, null)).toList()));
  }

  @PostMapping(path = LINKS, produces = "application/json")
  @Needs({Scope.JOBS_OPERATE, Scope.PAYLOAD_READ})
  Answer create(HttpServletRequest request, @PathVariable String id) throws SQLException {
    JsonObject body = bodies.optional(request, "expiresIn", "reason");
    Duration lifetime =
        Objects.requireNonNullElse(body.optional("expiresIn", JsonValue::duration), LIFETIME);
    body.build(() -> {
      InvalidInput.requireBetween(lifetime, LEAST, MOST, "expiresIn");
      return lifetime;
    });
    Act act = Caller.of(request).act(request, body);
    UUID job = existing(id);
    JobLinks.Made made =
        links
            .create(job, lifetime, act)
            .orElseThrow(() ->
                Refusal.of(
                    ProblemCode.TOO_MANY_LINKS,
                    "The job has " + JobLinks.MOST + " live links. Revoke one first."));
    return Answer.created(
        "/v1/jobs/" + job + "/links", shown(made.link(), SharedJobs.PATH + "/" + made.text()));
  }

  @DeleteMapping(LINKS + "/{link}")
  @Needs(Scope.JOBS_OPERATE)
  Answer revoke(HttpServletRequest request, @PathVariable String id, @PathVariable String link)
      throws SQLException {
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    if (!links.revoke(JobIds.parse(id), link, act)) {
      throw Refusal.of(ProblemCode.LINK_NOT_FOUND, "The job has no live link of this id.");
    }
    return Answer.none();
  }

  private UUID existing(String id) throws SQLException {
    UUID job = JobIds.parse(id);
    if (jobs.find(job).isEmpty()) {
      throw JobAnswers.unknown(job);
    }
    return job;
  }

  private static dev.ebb.contract.JobLink shown(JobLink link, @Nullable String path) {
    return new dev.ebb.contract.JobLink(
        link.id(),
        link.createdBy(),
        Answer.shown(link.createdAt()),
        Answer.shown(link.expiresAt()),
        path);
  }
}
