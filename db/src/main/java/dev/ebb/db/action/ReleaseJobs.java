package dev.ebb.db.action;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action release: ends holds, and the jobs are due as if they had not been held. */
final class ReleaseJobs {
  private static final String RELEASE =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            run_at = j.held_run_at
          from available a
          where j.id = a.id
            and j.version = a.version
            and ebb.is_held(j.held_version, j.version, j.held_until)
            -- It waits for another job, not for people.
            and j.blocked_version is distinct from j.version
          returning j.id, j.queue, false as requested
          """;

  private ReleaseJobs() {}

  static List<ActedJob> run(Connection connection, List<UUID> ids, List<String> queues)
      throws SQLException {
    return AvailableJobs.run(connection, RELEASE, ids, queues, _ -> {});
  }
}
