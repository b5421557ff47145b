package dev.ebb.db.view;

import static java.util.Objects.requireNonNull;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Reads the last attempts of a destination, whatever job they were of: those of a week or so. An
 * index has them newest first, and each leads to the day of the attempt or of the history that has
 * it: so a read takes as many rows as it shows, however many there are.
 */
public final class DestinationAttempts {
  // What is recorded of a delivery is up to 46 KiB: it is read of those that are shown alone.
  private static final String LAST =
      """
      with last as materialized (
        select d.job_id, d.ended_at
        from ebb.delivered d
        where d.queue = ?
          -- Where those that failed are gone, those that did not would tell half of it.
          and d.ended_at >= coalesce(ebb.attempts_kept_from(), '-infinity')
        order by d.ended_at desc
        limit ?
      )
      select
        f.job_id, f.number, f.node, f.started_at, f.ended_at, f.outcome, f.failure_reason,
        substring(r.record #>> '{response,status}' from '^\\d{1,9}$')::integer as status,
        r.record ->> 'rule' as rule
      from last l
      cross join lateral (
        select
          a.job_id, a.number, a.node, a.started_at, a.ended_at, a.outcome, a.failure_reason,
          a.detail
        from ebb.every_attempt a
        where a.job_id = l.job_id and a.ended_at = l.ended_at
        union all
        select
          h.id, h.attempt, h.node, h.started_at, h.ended_at,
          case when h.cancelled then 'cancelled' else 'completed' end, null, h.detail
        from ebb.every_history h
        where h.id = l.job_id and h.ended_at = l.ended_at
        limit 1
      ) f
      cross join lateral (
        select case
          when ebb.is_jsonb(f.detail) then f.detail::jsonb
        end as record
        offset 0
      ) r
      order by f.ended_at desc, f.job_id
      """;

  private final Database database;

  public DestinationAttempts(Database database) {
    this.database = database;
  }

  /**
   * The last deliveries of a queue, the newest first.
   *
   * @param limit of attempts
   */
  public List<EndedAttempt> last(String queue, int limit) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(
            connection, LAST, p -> p.text(queue).integer(limit), DestinationAttempts::attempt));
  }

  private static EndedAttempt attempt(ResultSet row) throws SQLException {
    return new EndedAttempt(
        row.getObject("job_id", UUID.class),
        row.getInt("number"),
        row.getString("node"),
        Rows.instant(row, "started_at"),
        Rows.instant(row, "ended_at"),
        requireNonNull(Rows.outcome(row)),
        row.getString("failure_reason"),
        row.getObject("status", Integer.class),
        row.getString("rule"));
  }
}
