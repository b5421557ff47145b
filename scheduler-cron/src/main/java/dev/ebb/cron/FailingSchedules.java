package dev.ebb.cron;

import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.schedule.FireTally;
import java.util.HashSet;
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
  void looked(FireTally fired) {
    Set<String> now = new HashSet<>(fired.failures().keySet());
    fired.failures().forEach((schedule, why) -> log.failed(part, what(schedule), why));
    for (String schedule : failing) {
      if (fired.elsewhere().contains(schedule)) {
        now.add(schedule);
      } else if (!now.contains(schedule)) {
        log.recovered(part, what(schedule));
      }
    }
    failing = now;
  }

  private static String what(String schedule) {
    return "schedule " + schedule;
  }
}
