package dev.ebb.ui.late;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a job's time, which went to one part.
 *
 * @param attempt the one that it belongs to or comes before; {@code null} for none
 */
public record Stretch(Part part, @Nullable Integer attempt, Instant from, Instant until) {
  public Duration length() {
    return Duration.between(from, until);
  }

  /** How much of it lies in a span. */
  Duration within(Span span) {
    return new Span(from, until).within(span).length();
  }
}
