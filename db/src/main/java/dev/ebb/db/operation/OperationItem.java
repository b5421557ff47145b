package dev.ebb.db.operation;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one job of an operation.
 *
 * @param queue empty where the job was nowhere to be acted on
 * @param result {@code null} as long as it waits for its turn
 * @param reason why it was skipped
 * @param outcome of its next attempt, where the operation waits for that
 * @param uniqueKey of the job; {@code null} for none, and once it is no longer kept
 * @param subject the same
 */
public record OperationItem(
    UUID job,
    String queue,
    @Nullable String result,
    @Nullable String reason,
    @Nullable Integer stage,
    @Nullable Instant actedAt,
    @Nullable String outcome,
    @Nullable String uniqueKey,
    @Nullable String subject) {}
