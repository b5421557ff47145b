package dev.ebb.db.view;

import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Tells whether live jobs have changed, many at a time: for each a mark that differs after every
 * change which an answer shows.
 */
final class JobMarks {
  // A cancel request leaves the version alone, and so do a skip and what a handler reports.
  private static final String MARKS =
      """
      with live as materialized (
        select
          j.id, j.queue, j.version, j.cancel_requested,
          ebb.is_held(j.held_version, j.version, j.held_until) as held,
          (j.blocks_until = '-infinity') is true as skipped
        from unnest(?::uuid[]) as asked (id)
        join ebb.job j on j.id = asked.id
      ), running as materialized (
        select l.id, l.version, l.claimed_at, l.progress
        from ebb.leased l
        where l.queue in (select queue from live)
      )
      select
        l.id,
        concat_ws(
          ' ', l.version, l.cancel_requested, l.held, l.skipped, r.claimed_at,
          md5(r.progress::text)) as mark
      from live l
      left join running r on (r.id, r.version) = (l.id, l.version)
      """;

  private JobMarks() {}

  /** The marks by id; none for a job that has ended or is unknown. */
  static Map<UUID, String> of(Connection connection, List<UUID> ids) throws SQLException {
    Map<UUID, String> marks = new HashMap<>();
    try (PreparedStatement statement = Statements.prepare(connection, MARKS)) {
      Parameters.of(statement).ids(ids);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          marks.put(rows.getObject("id", UUID.class), rows.getString("mark"));
        }
      }
    }
    return marks;
  }
}
