package dev.ebb.db.view;

import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.claim.ClaimedRow;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads how far a live job has come with its retries, unless it is held without an end. */
final class StandingReads {
  private static final String STANDING =
      """
      select
        j.attempt, j.max_attempts, j.priority, j.run_at, j.last_delay_micros,
        %s as budget_from,
        j.policy::text as policy, q.policy::text as queue_policy, now() as now,
        exists (
          select
          from ebb.leased l
          where (l.queue, l.id, l.version) = (j.queue, j.id, j.version)
        ) as running
      from ebb.job j
      left join ebb.queue q on q.name = j.queue
      where j.id = ?
        and isfinite(j.run_at)
      """
          .formatted(ClaimedRow.BUDGET_FROM);

  private StandingReads() {}

  static @Nullable JobStanding find(Connection connection, UUID id) throws SQLException {
    return Statements.first(connection, STANDING, p -> p.id(id), StandingReads::standing);
  }

  private static JobStanding standing(ResultSet row) throws SQLException {
    return new JobStanding(
        row.getBoolean("running"),
        row.getInt("attempt"),
        row.getInt("max_attempts"),
        row.getInt("priority"),
        Rows.instant(row, "run_at"),
        Rows.instant(row, "budget_from"),
        Duration.of(row.getLong("last_delay_micros"), ChronoUnit.MICROS),
        policy(row),
        Rows.instant(row, "now"));
  }

  private static RetryPolicy policy(ResultSet row) throws SQLException {
    RetryPolicy queue =
        StoredSettings.policy(row.getString("queue_policy"), StoredSettings.DEFAULT_POLICY);
    return StoredSettings.policy(row.getString("policy"), queue);
  }
}
