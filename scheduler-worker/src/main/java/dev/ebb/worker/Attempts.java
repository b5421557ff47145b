package dev.ebb.worker;

import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.trace.Traces;
import io.opentelemetry.api.trace.Span;
import java.time.Duration;

/**
 * The attempts of a node: each runs within its span, if there are any, and ends as what is settled.
 */
final class Attempts {
  private final String node;
  private final Traces traces;

  Attempts(String node, Traces traces) {
    this.node = node;
    this.traces = traces;
  }

  /** Runs the handler on this thread, and answers the outcome. */
  Outcome run(Execution execution, Handler handler) {
    if (!traces.areOn()) {
      return execution.run(handler);
    }
    Span span = traces.attempt(execution.job(), node, execution.claimed().traceparent());
    execution.span().begin(span);
    return Traces.current(span, () -> execution.run(handler));
  }

  /** The attempt, which took so long, as it is to be settled. */
  FinishedAttempt finished(
      Execution execution, Outcome outcome, Settlement settlement, Duration took) {
    ClaimedJob claimed = execution.claimed().withoutPayload();
    return new FinishedAttempt(
        traces.areOn() ? claimed.within(execution.span().traceparent()) : claimed,
        outcome,
        settlement,
        node,
        execution.startedNanos(),
        took,
        execution.detail());
  }

  /** Somebody settles it so. */
  void ended(Execution execution, Outcome outcome) {
    if (traces.areOn()) {
      execution.span().end(outcome);
    }
  }
}
