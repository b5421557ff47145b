package dev.ebb.db.action;

import dev.ebb.db.settle.FreshBudget;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The action reschedule: gives available jobs another time. */
final class RescheduleJobs {
  private static final String RESCHEDULE =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            redriven_at = %s,
            %s
          from available a
          cross join (select ?::timestamptz as run_at) t
          where j.id = a.id
            and j.version = a.version
          returning j.id, j.queue, false as requested
          """
              .formatted(FreshBudget.OF_RUN_AT, AvailableJobs.DUE_BEHIND_HOLD);

  private RescheduleJobs() {}

  static List<ActedJob> run(
      Connection connection, List<UUID> ids, List<String> queues, Instant runAt)
      throws SQLException {
    return AvailableJobs.run(connection, RESCHEDULE, ids, queues, p -> p.time(runAt));
  }
}
