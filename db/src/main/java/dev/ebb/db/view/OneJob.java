package dev.ebb.db.view;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a job by its id, wherever it is. A new one is found first, for a tenth of the cost. */
final class OneJob {
  /** Whether people had others of its ordering key pass it, as a column. */
  private static final String SKIPPED =
      """
      case
        when v.ordering_key is not null
          then (select j.blocks_until = '-infinity' from ebb.job j where j.id = v.id)
      end as skipped\
      """;

  private static final String FIND_NEW =
      """
      select
        v.*,
        (select j.follow_ups::text from ebb.job j where j.id = v.id) as follow_ups,
        %s
      from ebb.new_job v
      where v.id = ?
      """
          .formatted(SKIPPED);

  private static final String FIND =
      """
      select
        v.*,
        case
          when v.state = 'dead_letter'
            then (select d.follow_ups::text from ebb.dead_letter d where d.id = v.id)
          when v.state in ('completed', 'cancelled')
            then coalesce(
              (
                select h.follow_ups::text
                from ebb.history h
                where h.id = v.id and h.ended_at = v.ended_at
              ), (select h.follow_ups::text from ebb.history_stray h where h.id = v.id))
          else (select j.follow_ups::text from ebb.job j where j.id = v.id)
        end as follow_ups,
        %s
      from ebb.every_job v
      where v.id = ?
      """
          .formatted(SKIPPED);

  private OneJob() {}

  /** The job; {@code null} if it is unknown. */
  static @Nullable JobView find(Connection connection, UUID id) throws SQLException {
    JobView fresh = find(connection, FIND_NEW, id);
    return fresh == null ? find(connection, FIND, id) : fresh;
  }

  private static @Nullable JobView find(Connection connection, String sql, UUID id)
      throws SQLException {
    return Statements.first(connection, sql, p -> p.id(id), JobView::read);
  }
}
