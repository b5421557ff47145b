package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job that was acknowledged, and lost by a failover or a restore. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LostJob(
    String id, String queue, @Nullable String uniqueKey, Instant acknowledgedAt, Instant foundAt) {}
