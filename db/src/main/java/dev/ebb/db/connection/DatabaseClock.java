package dev.ebb.db.connection;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compares the database's clock with this node's monotonic one, to notice when it steps. The
 * database answers at some instant between the question and the answer, so the distance of the two
 * clocks is known as a span; the clock stepped if the next span lies apart.
 */
public final class DatabaseClock {
  private static final long LEAST_NANOS = 1_000_000_000;

  private @Nullable Span last;

  /** The database's time less this node's, in nanoseconds. */
  private record Span(long least, long most) {
    boolean liesApartFrom(Span other) {
      return least - other.most > LEAST_NANOS || other.least - most > LEAST_NANOS;
    }
  }

  /**
   * Whether the clock stepped by more than a second since the last answer.
   *
   * @param askedNanos when it was asked
   * @param answeredNanos when the answer was there
   */
  public boolean stepped(Instant now, long askedNanos, long answeredNanos) {
    long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, now);
    Span span = new Span(nanos - answeredNanos, nanos - askedNanos);
    Span before = last;
    last = span;
    return before != null && span.liesApartFrom(before);
  }
}
