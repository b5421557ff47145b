package dev.ebb.spring.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was submitted.
 *
 * @param id of the job
 * @param kind which handler runs it
 * @param queue where it waits
 * @param payload its arguments as JSON
 * @param uniqueKey while this job has not ended, no other of its kind with this key is stored;
 *     {@code null} for none
 * @param orderingKey jobs of its queue with this key run one after the other; {@code null} for none
 * @param runAt the earliest instant at which it may run
 * @param createdAt when it was stored
 * @param priority 0 for the most urgent, to 9
 * @param maxAttempts how often it may run
 * @param timeout how long one attempt may take; {@code null} if the submit does not say
 * @param labels those of its submit, by name
 * @param traceparent the trace in which it was submitted; {@code null} for none
 */
public record SubmittedJob(
    UUID id,
    String kind,
    String queue,
    String payload,
    @Nullable String uniqueKey,
    @Nullable String orderingKey,
    Instant runAt,
    Instant createdAt,
    int priority,
    int maxAttempts,
    @Nullable Duration timeout,
    Map<String, String> labels,
    @Nullable String traceparent) {}
