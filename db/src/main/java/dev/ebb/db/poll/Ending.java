package dev.ebb.db.poll;

import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended, as its worker tells.
 *
 * @param took how long it ran; {@code null} for all the time since its claim
 * @param detail JSON text to keep with the attempt
 */
public record Ending(
    long lease, UUID job, Outcome outcome, @Nullable Duration took, @Nullable String detail) {}
