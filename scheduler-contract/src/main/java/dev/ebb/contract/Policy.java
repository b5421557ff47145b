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
 * @param floor the shortest delay, of full
 * @param spread what is added at random at most, of additive
 * @param slot the length of a slot, of slots
 * @param base the first delay, before it grows
 * @param factor by how much it grows from attempt to attempt
 * @param cap the longest delay
 * @param steps the delays of a list
 * @param proportion how much of a delay is drawn at random, of a list
 * @param maxAttempts how often a job is tried at most
 * @param deadline after which no attempt starts; {@code null} for none
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
