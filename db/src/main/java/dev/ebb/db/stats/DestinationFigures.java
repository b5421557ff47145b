package dev.ebb.db.stats;

import java.util.Map;

/**
 * What is known of some destinations at one moment, so that no figure contradicts another.
 *
 * @param overview how their queues stand, and what these did lately
 * @param ended how their attempts ended, by their names
 */
public record DestinationFigures(Overview overview, Map<String, DestinationStat> ended) {
  public DestinationFigures {
    ended = Map.copyOf(ended);
  }
}
