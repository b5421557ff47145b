package dev.ebb.contract;

import java.time.Instant;
import java.util.Map;

/**
 * How many jobs a filter lets through.
 *
 * @param byState the same by phase, without the phases that have none
 * @param exact whether they were counted and not estimated
 */
public record JobCount(long count, Map<String, Long> byState, boolean exact, Instant asOf) {}
