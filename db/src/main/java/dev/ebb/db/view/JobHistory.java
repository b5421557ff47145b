package dev.ebb.db.view;

import dev.ebb.db.audit.AuditReads;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job with what happened to it, as it was at one moment.
 *
 * @param at that moment, by the database's clock
 * @param origin of the database, which tells it apart from every other; {@code null} where that is
 *     not known
 * @param attempts those behind them are left out where {@code next} is there
 * @param audit what people did to it, newest first
 * @param erasedAt when the payload and the records of its attempts were last erased; {@code null}
 *     for never
 */
public record JobHistory(
    Instant at,
    @Nullable UUID origin,
    JobView job,
    AttemptPage attempts,
    AuditReads.Page audit,
    @Nullable Instant erasedAt) {}
