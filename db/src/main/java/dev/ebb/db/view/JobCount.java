package dev.ebb.db.view;

import java.time.Instant;
import java.util.Map;

/**
 * How many jobs a filter lets through.
 *
 * @param byState the same by the phase in which they are; phases without any are left out
 * @param exact whether every job was looked at; otherwise it is an estimate from a sample
 * @param asOf the database's clock
 */
public record JobCount(long count, Map<String, Long> byState, boolean exact, Instant asOf) {
  static JobCount of(Map<String, Long> byState, boolean exact, Instant asOf) {
    long count = byState.values().stream().mapToLong(Long::longValue).sum();
    return new JobCount(count, byState, exact, asOf);
  }
}
