package dev.ebb.core.job;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The stored states of a job.
 *
 * <pre>
 *                 ┌────────cancel─────────────────────┐
 *                 │                                   ▼
 *   submit ──▶ available ──claim──▶ running ──┬──▶ cancelled
 *                ▲  ▲                 │       ├──▶ completed
 *                │  └─retry, release──┘       └──▶ dead_letter
 *                └───────────redrive─────────────────┘
 * </pre>
 *
 * <p>People see two more: <em>scheduled</em> is available with a run at in the future and never
 * started, <em>retrying</em> the same but started before.
 */
public enum JobState {
  AVAILABLE,
  RUNNING,
  COMPLETED,
  DEAD_LETTER,
  CANCELLED;

  /** The states that can follow this one. */
  public Set<JobState> next() {
    return switch (this) {
      case AVAILABLE -> EnumSet.of(RUNNING, CANCELLED);
      case RUNNING -> EnumSet.of(AVAILABLE, COMPLETED, DEAD_LETTER, CANCELLED);
      case DEAD_LETTER -> EnumSet.of(AVAILABLE);
      case COMPLETED, CANCELLED -> EnumSet.noneOf(JobState.class);
    };
  }

  /** Whether nothing can follow. */
  public boolean isFinal() {
    return next().isEmpty();
  }

  /** The name in SQL and REST: lower case, words joined by an underscore. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
