package dev.ebb.core.schedule;

import java.time.Instant;

/** An instant at which a schedule fires. */
public record Fire(Instant at, Shift shift) {
  /** What daylight saving did to its local time. */
  public enum Shift {
    /** The local time is there once. */
    NONE,
    /** The local time is skipped by the clocks: it fires at the first instant after the gap. */
    GAP,
    /** The local time comes twice: it fires the first time. */
    OVERLAP
  }
}
