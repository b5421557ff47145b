package dev.ebb.api.jobs.read;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Liveness;
import dev.ebb.api.access.Needs;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.OneAtATime;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.http.QueryParameters.Filter;
import dev.ebb.api.http.Waits;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobFilters;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.jobs.waiting.ExpectedStart;
import dev.ebb.api.jobs.waiting.ExpectedStarts;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Scope;
import dev.ebb.db.view.AttemptPage;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobStanding;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows jobs and their attempts. */
@Controller
@RequestMapping(produces = "application/json")
public final class JobsController {
  /** No job has more attempts. */
  private static final Pattern ATTEMPT_NUMBER = Pattern.compile("[1-9][0-9]{0,2}|1000");

  private final JobReads reads;
  private final InstantSource clock = InstantSource.system();
  private final PayloadMask mask;
  private final JobAnswers answers;
  private final JobLook look;
  private final JobList list;
  private final ExpectedStarts starts;
  private final OneAtATime forecasts = new OneAtATime("forecasts", 4);

  JobsController(
      JobReads reads, JobAnswers answers, PayloadMask mask, JobWaits waits, ExpectedStarts starts) {
    this.mask = mask;
    this.starts = starts;
    this.reads = reads;
    this.answers = answers;
    this.look = new JobLook(answers, waits);
    this.list = new JobList(reads, mask);
  }

  @GetMapping("/v1/jobs")
  @Needs(Scope.JOBS_READ)
  @QueryParameters(
      value = {"sort", "view", "cursor", "limit"},
      filter = Filter.JOBS)
  Answer list(Query query, Caller caller) throws SQLException {
    return Answer.ok(list.page(query, caller, clock.instant()));
  }

  @GetMapping("/v1/jobs/count")
  @Needs(Scope.JOBS_READ)
  @QueryParameters(filter = Filter.JOBS)
  Answer count(Query query, Caller caller) throws SQLException {
    return Answer.ok(reads.count(JobFilters.read(query, caller)));
  }

  @GetMapping("/v1/jobs/{id}")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("wait")
  Answer find(
      Query query,
      Caller caller,
      InetAddress sender,
      Conditions known,
      Liveness token,
      @PathVariable String id)
      throws Exception {
    Duration wait = query.duration("wait", Waits.LONGEST, Duration.ZERO);
    Answer answer = look.at(JobIds.parse(id), caller, sender, known, wait);
    if (wait.isPositive()) {
      token.require();
    }
    return answer;
  }

  @GetMapping("/v1/jobs/{id}/attempts/coming")
  @Needs(Scope.JOBS_READ)
  Answer forecast(Caller caller, @PathVariable String id) throws Exception {
    UUID job = JobIds.parse(id);
    Optional<JobStanding> standing = reads.standing(job);
    if (standing.isEmpty()) {
      throw answers.wrongState(job, caller);
    }
    Instant start = starts.find(job).map(ExpectedStart::at).orElse(null);
    if (start == null) {
      throw answers.endless(job, caller);
    }
    return forecasts.run(() -> Answer.ok(AttemptForecastResource.of(standing.get(), start)));
  }

  @GetMapping("/v1/jobs/{id}/attempts")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"cursor", "limit"})
  Answer attempts(Query query, Caller caller, @PathVariable String id) throws SQLException {
    UUID job = JobIds.parse(id);
    int limit = query.integer("limit", 1, JobList.MAX_LIMIT, JobList.DEFAULT_LIMIT);
    AttemptPage page = reads.attempts(job, AttemptCursor.read(query.value("cursor")), limit);
    if (page.attempts().isEmpty() && reads.find(job).isEmpty()) {
      throw JobAnswers.unknown(job);
    }
    return Answer.ok(AttemptResource.page(page, mask.of(caller)));
  }

  @GetMapping("/v1/jobs/{id}/attempts/{n}")
  @Needs(Scope.JOBS_READ)
  Answer attempt(Caller caller, @PathVariable String id, @PathVariable String n)
      throws SQLException {
    UUID job = JobIds.parse(id);
    int number = attemptNumber(n);
    Optional<AttemptView> attempt = reads.attempt(job, number);
    if (attempt.isEmpty()) {
      throw reads.find(job).isEmpty()
          ? JobAnswers.unknown(job)
          : Refusal.of(ProblemCode.ATTEMPT_NOT_FOUND, "The job has no attempt " + number + ".");
    }
    return Answer.ok(AttemptResource.of(attempt.get(), mask.of(caller)));
  }

  private static int attemptNumber(String n) {
    if (!ATTEMPT_NUMBER.matcher(n).matches()) {
      throw Refusal.parameter("n", "must be an integer between 1 and 1000");
    }
    return Integer.parseInt(n);
  }
}
