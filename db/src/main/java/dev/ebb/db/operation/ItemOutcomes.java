package dev.ebb.db.operation;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How the next attempts of an operation's jobs ended. */
final class ItemOutcomes {
  /** How many jobs one look covers. */
  static final int BATCH = 500;

  static final UUID FIRST = new UUID(0, 0);

  // An attempt that the receiver throttled or a drain gave back says nothing yet.
  private static final String LOOK =
      """
      with awaited as materialized (
        select i.job_id, i.acted_at
        from ebb.operation_item i
        where i.operation = ? and i.awaited and i.job_id > ?
        order by i.job_id
        limit ?
      ), seen as materialized (
        select
          w.job_id,
          case
            when exists (
              select
              from ebb.every_attempt a
              where a.job_id = w.job_id
                and a.ended_at >= w.acted_at
                and a.outcome in ('failed', 'fatal')
            ) then 'failed'
            when exists (
              select
              from ebb.dead_letter d
              where d.id = w.job_id and d.died_at >= w.acted_at
            ) then 'failed'
            when exists (select from ebb.job j where j.id = w.job_id) then null
            else coalesce(
              (
                select case when h.cancelled then 'cancelled' else 'succeeded' end
                from ebb.every_history h
                where h.id = w.job_id and h.ended_at >= w.acted_at
                limit 1
              ),
              'gone')
          end as outcome
        from awaited w
      ), written as (
        update ebb.operation_item i
        set awaited = false, outcome = nullif(s.outcome, 'gone')
        from seen s
        where i.operation = ?
          and i.job_id = s.job_id
          and s.outcome is not null
      )
      select job_id, outcome from seen order by job_id
      """;

  private static final String AWAITS =
      """
      select exists (select from ebb.operation_item i where i.operation = ? and i.awaited)
      """;

  private ItemOutcomes() {}

  /**
   * What became of one that was awaited.
   *
   * @param outcome {@code null} if its attempt has not ended
   */
  record ItemOutcome(UUID job, @Nullable String outcome) {
    boolean hasEnded() {
      return outcome != null;
    }

    boolean isA(String word) {
      return word.equals(outcome);
    }
  }

  /** Notes the ends of attempts, for a bounded number of jobs behind that id. */
  static List<ItemOutcome> look(Connection connection, UUID operation, UUID after)
      throws SQLException {
    return Statements.list(
        connection,
        LOOK,
        p -> p.id(operation).id(after).integer(BATCH).id(operation),
        row -> new ItemOutcome(row.getObject("job_id", UUID.class), row.getString("outcome")));
  }

  /** Whether the operation waits for the end of an attempt. */
  static boolean awaits(Connection connection, UUID operation) throws SQLException {
    return Statements.one(connection, AWAITS, p -> p.id(operation), row -> row.getBoolean(1));
  }
}
