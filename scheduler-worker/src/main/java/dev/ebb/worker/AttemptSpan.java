package dev.ebb.worker;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.trace.Traces;
import io.opentelemetry.api.trace.Span;
import org.jspecify.annotations.Nullable;

/**
 * The span of an attempt, if it has one. It ends once, as the attempt is settled; one that begins
 * only after that, because its thread had to wait for so long, ends at once.
 */
final class AttemptSpan {
  private Span span = Span.getInvalid();
  private @Nullable Outcome settledAs;

  /** It has begun. */
  void begin(Span begun) {
    Outcome over;
    synchronized (this) {
      span = begun;
      over = settledAs;
    }
    if (over != null) {
      Traces.ended(begun, over);
    }
  }

  /** The attempt is settled so; the first time counts. */
  void end(Outcome outcome) {
    Span open;
    synchronized (this) {
      if (settledAs != null) {
        return;
      }
      settledAs = outcome;
      open = span;
    }
    Traces.ended(open, outcome);
  }

  /** How others refer to it; {@code null} for none. */
  @Nullable String traceparent() {
    Span begun;
    synchronized (this) {
      begun = span;
    }
    return Traces.traceparent(begun);
  }
}
