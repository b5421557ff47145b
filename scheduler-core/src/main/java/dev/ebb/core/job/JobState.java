package dev.ebb.core.job;

import java.util.Locale;

/**
 * The states of a job. None is stored: the tables and leases that name a job tell its state.
 *
 * <pre>
 *                 ┌─────cancel, purge─────────────────┐
 *                 │                                   ▼
 *   submit ──▶ available ──claim──▶ running ──┬──▶ cancelled ◀──┐
 *                ▲  ▲                 │       ├──▶ completed    │ purge
 *                │  └─retry, give back┘       └──▶ dead_letter ─┘
 *                └───────────redrive─────────────────┘
 * </pre>
 *
 * <p>People see three more: <em>scheduled</em> is available with a run at in the future and never
 * started, <em>retrying</em> the same but started before, <em>held</em> is available but kept from
 * being claimed.
 */
public enum JobState {
  AVAILABLE,
  RUNNING,
  COMPLETED,
  DEAD_LETTER,
  CANCELLED;

  /** The name in SQL and REST: lower case, words joined by an underscore. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
