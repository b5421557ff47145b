package dev.ebb.cron;

import dev.ebb.db.loop.FailureLog;
import java.util.Map;
import java.util.Set;

/** Logs which schedules a part of the node cannot serve, and which it can serve again. */
final class FailingSchedules {
  private final FailureLog log;
  private final String part;
  private Set<String> failing = Set.of();

  FailingSchedules(FailureLog log, String part) {
    this.log = log;
    this.part = part;
  }

  /** To be told after each look at all of them, by one thread at a time. */
  void looked(Map<String, Exception> failures) {
    failures.forEach((schedule, why) -> log.failed(part, what(schedule), why));
    for (String schedule : failing) {
      if (!failures.containsKey(schedule)) {
        log.recovered(part, what(schedule));
      }
    }
    failing = Set.copyOf(failures.keySet());
  }

  private static String what(String schedule) {
    return "schedule " + schedule;
  }
}
