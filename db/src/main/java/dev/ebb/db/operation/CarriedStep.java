package dev.ebb.db.operation;

import java.util.Set;

/**
 * What a step did that workers have to know.
 *
 * @param arrivedIn the queues in which jobs may be due now
 * @param requestedCancels whether running jobs were asked to stop
 */
public record CarriedStep(Set<String> arrivedIn, boolean requestedCancels) {}
