package dev.ebb.db.view;

import dev.ebb.core.job.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt as people see it.
 *
 * @param number from 1; the number of one that was given back is used again
 * @param endedAt {@code null} while it runs
 * @param outcome completed, failed, throttled, fatal, cancelled, given_back; {@code null} while it
 *     runs
 * @param detail JSON text that its handler recorded: for deliveries the request and the response
 * @param dueAt {@code null} if that is not known
 * @param waited from then on; {@code null} if that is not known
 * @param recordedAt when its outcome was written; {@code null} while it runs, and if that is not
 *     known
 */
public record AttemptView(
    int number,
    String node,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable Failure error,
    @Nullable String detail,
    @Nullable Instant dueAt,
    @Nullable AttemptWait waited,
    @Nullable Instant recordedAt) {}
