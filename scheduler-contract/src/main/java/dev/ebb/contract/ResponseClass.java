package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Responses that are no success, and what becomes of a job that gets one.
 *
 * @param statuses any, classes such as 4xx, and statuses
 * @param body absent if it does not matter
 * @param effect permanent, disable, throttled, retryable or not_ready
 * @param reason by which such failures are grouped
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResponseClass(
    List<String> statuses, @Nullable BodyTest body, String effect, String reason) {}
