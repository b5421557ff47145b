package dev.ebb.api.jobs.submit;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.core.job.Traceparent;
import dev.ebb.db.JobQueue;
import dev.ebb.db.submit.Submission;
import dev.ebb.db.submit.SubmitAnswer;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Submitter;
import dev.ebb.db.trace.Traces;
import io.opentelemetry.api.trace.Span;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores submissions in the traces of their requests. A {@code traceparent} that breaks the rules
 * is ignored, and so is {@code tracestate}, as W3C Trace Context lets it be.
 */
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
    return store(within(traceparent(request), submission), submitter::submit);
  }

  /** Stores one of any size. */
  SubmitAnswer batch(Submission submission, HttpServletRequest request) throws SQLException {
    return store(within(traceparent(request), submission), queue::submit);
  }

  private SubmitAnswer store(Submission submission, Store store) throws SQLException {
    if (!traces.areOn()) {
      return store.submit(submission);
    }
    Span span = traces.submit(submission.jobs());
    return Traces.within(
        span,
        () -> {
          // Its jobs link to the submit, and not to what sent that, unless only that is sampled.
          SubmitAnswer answer = store.submit(within(Traces.traceparent(span), submission));
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

  private static @Nullable String traceparent(HttpServletRequest request) {
    List<String> given = Collections.list(request.getHeaders("traceparent"));
    return given.size() == 1 ? Traceparent.read(given.getFirst()) : null;
  }

  private static Submission within(@Nullable String traceparent, Submission submission) {
    return traceparent == null
        ? submission
        : submission.with(
            submission.jobs().stream()
                .map(job -> job.toBuilder().traceparent(traceparent).build())
                .toList());
  }
}
