package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.db.forecast.AttemptCounts;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many jobs of a queue wait, as answers show it.
 *
 * @param exact whether they were counted and not estimated
 * @param byAttempts by how often they were started: 0 to 9, and 10+
 */
record QueueWaitingResource(
    String queue, Instant asOf, boolean exact, long jobs, Map<String, Long> byAttempts) {

  static QueueWaitingResource of(String queue, AttemptCounts.Found found) {
    Map<String, Long> named = new LinkedHashMap<>();
    found.jobs().forEach((attempts, jobs) -> named.put(name(attempts), jobs));
    long all = found.jobs().values().stream().mapToLong(Long::longValue).sum();
    return new QueueWaitingResource(queue, Answer.shown(found.asOf()), found.exact(), all, named);
  }

  private static String name(int attempts) {
    return attempts < AttemptCounts.MOST ? String.valueOf(attempts) : attempts + "+";
  }
}
