package dev.ebb.contract;

import java.time.Instant;
import java.util.Map;

/**
 * How many jobs a filter lets through.
 *
 * @param count how many there are
 * @param byState the same by phase, without the phases that have none
 * @param exact whether they were counted and not estimated
 * @param statesExact whether the same is true of each phase
 * @param asOf when this was so, by the database's clock
 */
public record JobCount(
    long count, Map<String, Long> byState, boolean exact, boolean statesExact, Instant asOf) {}
