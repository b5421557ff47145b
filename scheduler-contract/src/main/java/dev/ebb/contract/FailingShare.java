package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How many attempts failed of those that ended.
 *
 * @param attempts how many ended
 * @param failed how many of them failed
 * @param share between 0 and 1; absent if none ended
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FailingShare(long attempts, long failed, @Nullable Double share) {}
