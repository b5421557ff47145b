package dev.ebb.db.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as the worker that leased it is told of it.
 *
 * @param attempt the number of this attempt, from 1
 * @param payload its text, to the byte as it was submitted
 * @param timeout of an attempt; {@code null} if the job names none
 * @param traceparent the trace that it was submitted in; {@code null} for none
 */
public record PolledJob(
    UUID id,
    String kind,
    int attempt,
    int maxAttempts,
    int priority,
    String payload,
    Map<String, String> labels,
    @Nullable Duration timeout,
    Instant runAt,
    Instant createdAt,
    @Nullable String traceparent) {}
