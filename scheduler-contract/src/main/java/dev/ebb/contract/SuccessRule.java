package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which responses say that a delivery was made.
 *
 * @param statuses any, classes such as 2xx, and statuses
 * @param body absent if it does not matter
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SuccessRule(List<String> statuses, @Nullable BodyTest body) {}
