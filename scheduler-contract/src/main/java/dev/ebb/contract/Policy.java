package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A retry policy; which fields it has depends on its jitter.
 *
 * @param jitter full, equal, additive, decorrelated, none, slots or list
 * @param steps the delays of a list
 * @param priorityScale by which the delays of a priority are multiplied
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Policy(
    String jitter,
    @Nullable Duration floor,
    @Nullable Duration spread,
    @Nullable Duration slot,
    @Nullable Duration base,
    @Nullable Number factor,
    @Nullable Duration cap,
    @Nullable List<Duration> steps,
    @Nullable Number proportion,
    int maxAttempts,
    @Nullable Duration deadline,
    @Nullable Map<Integer, Number> priorityScale) {}
