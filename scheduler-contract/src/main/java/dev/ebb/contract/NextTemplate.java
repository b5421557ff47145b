package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that follows each job of a schedule.
 *
 * @param payload its JSON text, as its reader may see it
 * @param resultPointer where in the payload it is told how the first job ended
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
