package dev.ebb.db.operation;

import org.jspecify.annotations.Nullable;

/**
 * What a step did that workers have to know.
 *
 * @param arrivedIn the queue in which jobs are due now; {@code null} if in none
 * @param requestedCancels whether running jobs were asked to stop
 */
public record CarriedStep(@Nullable String arrivedIn, boolean requestedCancels) {}
