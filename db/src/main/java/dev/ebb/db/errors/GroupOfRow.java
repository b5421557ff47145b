package dev.ebb.db.errors;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the id of a row says: what its groups have in common, however many there are now. */
final class GroupOfRow {
  private static final String FIND =
      """
      select
        case r.id
          when g.id then 'error_subject'
          when g.error_id then 'error'
          when g.subject_id then 'subject'
          else 'destination'
        end as row_by
      from (select ?::uuid as id) r
      join ebb.error_group g on r.id in (g.id, g.error_id, g.subject_id, g.queue_id)
      limit 1
      """;

  private GroupOfRow() {}

  /** {@code null} for no row, or an unknown one. */
  static @Nullable GroupBy by(Connection connection, @Nullable UUID row) throws SQLException {
    return row == null
        ? null
        : Statements.first(
            connection, FIND, p -> p.id(row), found -> GroupBy.of(found.getString("row_by")));
  }
}
