package dev.ebb.api.jobs.submit;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.db.JobQueue;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.trace.Traces;
import io.opentelemetry.api.trace.Span;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;

/** Stores submissions in the traces of their requests. */
public final class Submits {
  private final Submitter submitter;
  private final JobQueue queue;
  private final Traces traces;

  Submits(Submitter submitter, JobQueue queue, Traces traces) {
    this.submitter = submitter;
    this.queue = queue;
    this.traces = traces;
  }

  private interface Store {
    SubmitAnswer submit(Submission submission) throws SQLException;
  }

  /** Stores one of one job. */
  SubmitAnswer one(Submission submission, HttpServletRequest request) throws SQLException {
    return store(TraceContext.onto(submission, request), submitter::submit);
  }

  /** Stores one of any size. */
  SubmitAnswer batch(Submission submission, HttpServletRequest request) throws SQLException {
    return store(TraceContext.onto(submission, request), queue::submit);
  }

  private SubmitAnswer store(Submission submission, Store store) throws SQLException {
    if (!traces.areOn()) {
      return store.submit(submission);
    }
    Span span = traces.submit(submission.jobs());
    return Traces.within(
        span,
        () -> {
          SubmitAnswer answer = store.submit(within(span, submission));
          answered(span, answer);
          return answer;
        });
  }

  private static void answered(Span span, SubmitAnswer answer) {
    switch (answer) {
      case SubmitAnswer.Stored(List<Submitted> jobs, _) ->
          Traces.submitted(span, jobs.stream().map(Submitted::id).toList(), answer.isNew());
      case SubmitAnswer.Duplicate _ -> refused(span, ProblemCode.UNIQUE_KEY_TAKEN);
      case SubmitAnswer.InFlight() -> refused(span, ProblemCode.IDEMPOTENCY_KEY_IN_FLIGHT);
      case SubmitAnswer.KeyReused _ -> refused(span, ProblemCode.IDEMPOTENCY_KEY_REUSED);
    }
  }

  private static void refused(Span span, ProblemCode code) {
    Traces.failed(span, code.word());
  }

  /** Its jobs link to the submit, and not to what sent that, unless only that is sampled. */
  private static Submission within(Span span, Submission submission) {
    String own = Traces.traceparent(span);
    return own == null
        ? submission
        : submission.with(
            submission.jobs().stream()
                .map(job -> job.toBuilder().traceparent(own).build())
                .toList());
  }
}
