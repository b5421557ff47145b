package dev.ebb.ui.answer;

import java.util.Map;

/**
 * How many jobs a filter lets through.
 *
 * @param byState the same by phase, without the phases that have none
 */
public record JobCount(long count, Map<String, Long> byState, boolean exact) {
  public JobCount {
    byState = Map.copyOf(byState);
  }
}
