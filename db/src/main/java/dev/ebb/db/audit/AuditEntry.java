package dev.ebb.db.audit;

import dev.ebb.core.access.Act;
import java.time.Instant;
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
 */
public record AuditEntry(
    UUID id, Instant at, Act act, String action, String subject, long affected) {}
