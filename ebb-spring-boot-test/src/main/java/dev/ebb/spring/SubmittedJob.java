package dev.ebb.spring;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was submitted.
 *
 * @param payload its arguments as JSON
 * @param runAt the earliest instant at which it may run
 */
public record SubmittedJob(
    UUID id,
    String kind,
    String queue,
    String payload,
    @Nullable String uniqueKey,
    Instant runAt,
    Instant createdAt,
    int maxAttempts,
    Map<String, String> labels) {}
