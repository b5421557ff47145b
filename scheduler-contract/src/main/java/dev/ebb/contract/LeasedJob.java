package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to run.
 *
 * @param id its id
 * @param kind what its handler is known by
 * @param attempt the number of this attempt, from 1
 * @param maxAttempts how often it is tried at most
 * @param priority 0, which goes first, to 9
 * @param payload its JSON text, to the byte as it was submitted
 * @param labels words of the submitter by name
 * @param timeout of the attempt; absent if the job names none
 * @param runAt when it was due
 * @param createdAt when it was submitted
 * @param traceparent the trace that it was submitted in, to which that of its attempt may link;
 *     absent for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LeasedJob(
    String id,
    String kind,
    int attempt,
    int maxAttempts,
    int priority,
    @JsonRawValue String payload,
    Map<String, String> labels,
    @Nullable Duration timeout,
    Instant runAt,
    Instant createdAt,
    @Nullable String traceparent) {}
