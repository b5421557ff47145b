package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.QueueWaiting;
import dev.ebb.db.forecast.AttemptCounts;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows how many jobs of a queue wait. */
final class QueueWaitingResource {
  private QueueWaitingResource() {}

  static QueueWaiting of(String queue, AttemptCounts.DueCounts found) {
    Map<String, Long> named = new LinkedHashMap<>();
    found.jobs().forEach((attempts, jobs) -> named.put(name(attempts), jobs));
    long all = found.jobs().values().stream().mapToLong(Long::longValue).sum();
    return new QueueWaiting(queue, Answer.shown(found.asOf()), found.exact(), all, named);
  }

  private static String name(int attempts) {
    return attempts < AttemptCounts.MOST ? String.valueOf(attempts) : attempts + "+";
  }
}
