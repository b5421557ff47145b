package dev.ebb.api.stats;

import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Counts;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was counted, by the counters' names. */
final class CountsResource {
  private CountsResource() {}

  static Map<String, Long> of(Counts counts) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (Counter counter : Counter.values()) {
      numbers.put(counter.word(), counts.of(counter));
    }
    return numbers;
  }
}
