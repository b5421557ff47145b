package dev.ebb.ui.late;

import java.time.Duration;
import java.time.Instant;

/**
 * A time from an instant until another.
 *
 * @param until {@link Instant#MAX} where no end is known
 */
record Span(Instant from, Instant until) {

  static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  boolean isEmpty() {
    return !until.isAfter(from);
  }

  Duration length() {
    return isEmpty() ? Duration.ZERO : Duration.between(from, until);
  }

  /** What lies in both; empty where nothing does. */
  Span within(Span other) {
    return new Span(later(from, other.from), earlier(until, other.until));
  }
}
