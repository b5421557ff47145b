package dev.ebb.db.action;

import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action discard: cancels dead letters. */
final class DiscardJobs {
  private static final String DISCARD =
      """
      with picked as materialized (
        select d.id
        from ebb.dead_letter d
        where d.id = any (?)
        order by d.id
        for update skip locked
      ), discarded as (
        delete from ebb.dead_letter d
        using picked p
        where d.id = p.id
        returning d.*
      ), kept as (
        insert into ebb.history (
          %1$s, attempt, started_at, node,
          cancelled)
        select
          %2$s, attempt, started_at, node,
          true
        from discarded
        returning id, queue
      ), tallied as (
      %3$s
      )
      select id, queue, false as requested from kept
      """
          .formatted(
              KeptColumns.IN_HISTORY,
              KeptColumns.TO_HISTORY,
              Tally.of(Counter.DISCARDED, "discarded"));

  private DiscardJobs() {}

  static List<ActedJob> run(Connection connection, List<UUID> ids) throws SQLException {
    return Statements.list(connection, DISCARD, p -> p.ids(ids), ActedJob::read);
  }
}
