package dev.ebb.db.stats;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the queues stand, and what they did lately.
 *
 * @param now the database's clock
 * @param asOf nothing that was counted until then is missing
 * @param exactSince since when every node counts what it does; {@code null} if some may not
 * @param all of all queues, also those on other pages; without its oldest due job
 * @param next the name after which the next page begins; {@code null} at the end
 */
public record Overview(
    Instant now,
    Instant asOf,
    boolean complete,
    @Nullable Instant exactSince,
    QueueStat all,
    List<QueueStat> queues,
    @Nullable String next) {}
