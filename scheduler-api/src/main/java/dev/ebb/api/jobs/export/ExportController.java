package dev.ebb.api.jobs.export;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Callers;
import dev.ebb.api.access.Needs;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.audit.AuditPage;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.OneAtATime;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobIds;
import dev.ebb.api.jobs.read.AttemptCursor;
import dev.ebb.api.jobs.read.AttemptResource;
import dev.ebb.contract.JobExport;
import dev.ebb.core.access.Scope;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.db.view.AttemptPage;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobHistory;
import dev.ebb.db.view.JobReads;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Exports a job's history as a signed file: what its reader may see of it, and no more. */
@Controller
@RequestMapping(produces = "application/json")
public final class ExportController {
  private final JobReads reads;
  private final JobAnswers answers;
  private final PayloadMask mask;
  private final ExportSigner signer;
  private final boolean readOnly;

  /** Each takes some twenty mebibytes while it is made. */
  private final OneAtATime exports = new OneAtATime("exports", 4);

  ExportController(
      JobReads reads, JobAnswers answers, PayloadMask mask, ExportSigner signer, Callers callers) {
    this.reads = reads;
    this.answers = answers;
    this.mask = mask;
    this.signer = signer;
    this.readOnly = callers.isReadOnly();
  }

  @GetMapping("/v1/jobs/{id}/export")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("cursor")
  Answer export(HttpServletRequest request, @PathVariable String id) throws Exception {
    UUID job = JobIds.parse(id);
    AttemptPage.Position after = AttemptCursor.read(Query.of(request).value("cursor"));
    Caller caller = Caller.of(request);
    var act = caller.act(request, (String) null);
    return exports.run(() -> {
      JobExport export = export(job, after, caller);
      ExportKey key = signer.key(act, readOnly);
      return Answer.ok(signer.sign(key, Answer.bytes(export)))
          .with("Content-Disposition", "attachment; filename=\"ebb-job-" + job + ".json\"");
    });
  }

  private JobExport export(UUID job, AttemptPage.@Nullable Position after, Caller caller)
      throws SQLException {
    JobHistory history = reads.history(job, after).orElseThrow(() -> JobAnswers.unknown(job));
    PayloadReader reader = mask.of(caller);
    UUID origin = history.origin();
    return new JobExport(
        Answer.shown(history.at()),
        caller.name(),
        origin == null ? null : origin.toString(),
        reader.masked(),
        Answer.shownOrNull(history.erasedAt()),
        after == null && history.attempts().next() == null ? gone(history) : null,
        answers.whole(history.job(), caller),
        AttemptResource.page(history.attempts(), reader),
        AuditPage.of(history.audit(), caller.may(Scope.PAYLOAD_READ)));
  }

  /** How many of the attempts that the job counts have no record any more. */
  private static int gone(JobHistory history) {
    Set<Integer> there =
        history.attempts().attempts().stream().map(AttemptView::number).collect(Collectors.toSet());
    return Math.toIntExact(
        IntStream.rangeClosed(1, history.job().attempt())
            .filter(number -> !there.contains(number))
            .count());
  }
}
