package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * One entry: what was done.
 *
 * @param id orders the entries by time
 * @param at by the database's clock, to the millisecond
 * @param act who did it, from where, and why
 * @param action such as {@code job.cancel}
 * @param subject the id or name of what it was done to
 * @param affected how many were changed
 * @param changes from what to what; empty where that is not told
 */
public record AuditEntry(
    UUID id,
    Instant at,
    Act act,
    String action,
    String subject,
    long affected,
    List<Change> changes) {
  public AuditEntry {
    changes = List.copyOf(changes);
  }
}
