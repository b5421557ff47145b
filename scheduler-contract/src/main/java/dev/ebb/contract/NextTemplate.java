package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that follows each job of a schedule.
 *
 * @param kind the kind
 * @param queue the queue
 * @param payload its JSON text, as its reader may see it
 * @param resultPointer where in the payload it is told how the first job ended
 * @param delay how long after the end of the other it may start; {@code null} for at once
 * @param priority 0, which goes first, to 9
 * @param maxAttempts how often it is tried at most; {@code null} for the default
 * @param policy how it is retried; {@code null} for its queue's way
 * @param uniqueKey what no other job of its kind that has not ended may have; {@code null} for none
 * @param orderingKey jobs of the queue with the same one run one at a time; {@code null} for none
 * @param timeout how long an attempt may take; {@code null} for the default
 * @param labels words of the submitter by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NextTemplate(
    String kind,
    String queue,
    @JsonRawValue @Nullable String payload,
    @Nullable String resultPointer,
    @Nullable Duration delay,
    int priority,
    @Nullable Integer maxAttempts,
    @Nullable Policy policy,
    @Nullable String uniqueKey,
    @Nullable String orderingKey,
    @Nullable Duration timeout,
    Map<String, String> labels) {}
