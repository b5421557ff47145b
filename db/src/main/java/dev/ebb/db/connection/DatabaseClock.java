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
  private volatile Instant reached = Instant.EPOCH;

  /** The database's time less this node's, in nanoseconds. */
  private record Span(long least, long most) {
    boolean liesApartFrom(Span other) {
      return least - other.most > LEAST_NANOS || other.least - most > LEAST_NANOS;
    }
  }

  /** Hears of a time that the clock has reached, perhaps between two answers. */
  public void reached(Instant time) {
    reached = time;
  }

  /**
   * Whether the clock stepped by more than a second since the last answer, or lies as far behind
   * what it has reached.
   *
   * @param askedNanos when it was asked
   * @param answeredNanos when the answer was there
   */
  public boolean stepped(Instant now, long askedNanos, long answeredNanos) {
    long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, now);
    Span span = new Span(nanos - answeredNanos, nanos - askedNanos);
    Span before = last;
    last = span;
    boolean isBehind = reached.minusNanos(LEAST_NANOS).isAfter(now);
    if (isBehind) {
      reached = Instant.EPOCH;
    }
    return isBehind || (before != null && span.liesApartFrom(before));
  }
}
