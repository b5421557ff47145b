package dev.ebb.db.action;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action set priority: has available jobs run before or after others that are due. */
final class PrioritizeJobs {
  private static final String SET_PRIORITY =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            priority = t.priority,
            %s
          from available a
          cross join (select ?::smallint as priority) t
          where j.id = a.id
            and j.version = a.version
          returning j.id, j.queue, false as requested
          """
              .formatted(AvailableJobs.HOLD_GOES_ON);

  private PrioritizeJobs() {}

  static List<ActedJob> run(
      Connection connection, List<UUID> ids, List<String> queues, int priority)
      throws SQLException {
    return AvailableJobs.run(connection, SET_PRIORITY, ids, queues, p -> p.integer(priority));
  }
}
