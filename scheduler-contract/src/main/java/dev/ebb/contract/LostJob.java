package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that was acknowledged, and lost by a failover or a restore.
 *
 * @param id its id
 * @param queue the queue
 * @param uniqueKey the one that it had; {@code null} for none
 * @param acknowledgedAt when, by the clock of the process that acknowledged it
 * @param foundAt when that process missed it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LostJob(
    String id, String queue, @Nullable String uniqueKey, Instant acknowledgedAt, Instant foundAt) {}
