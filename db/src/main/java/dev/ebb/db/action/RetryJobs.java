package dev.ebb.db.action;

import dev.ebb.db.settle.FreshBudget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action retry: lets jobs run now that wait for their time, but for those that are held. */
final class RetryJobs {
  private static final String RETRY =
      AvailableJobs.PICKED
          + """
          update ebb.job j
          set version = j.version + 1,
            run_at = least(j.run_at, statement_timestamp()),
            %s
          from available a
          cross join (select ?::boolean as fresh) b
          where j.id = a.id
            and j.version = a.version
            and not ebb.is_held(j.held_version, j.version, j.held_until)
          returning j.id, j.queue, false as requested
          """
              .formatted(FreshBudget.OF_RETRY);

  private RetryJobs() {}

  static List<ActedJob> run(
      Connection connection, List<UUID> ids, List<String> queues, boolean resetAttempts)
      throws SQLException {
    return AvailableJobs.run(connection, RETRY, ids, queues, p -> p.flag(resetAttempts));
  }
}
