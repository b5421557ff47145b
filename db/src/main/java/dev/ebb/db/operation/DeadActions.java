package dev.ebb.db.operation;

import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The actions on dead letters of one queue, each in one statement, which answers what it changed. A
 * row that somebody else has locked is left for the next time.
 */
final class DeadActions {
  // A row leaves the dead letters only if it arrived among the jobs. An erased payload is empty.
  private static final String REDRIVE =
      """
      with dead as materialized (
        select *
        from ebb.dead_letter d
        where d.id = any (?)
          and d.queue = ?
          and d.payload <> ''
        order by d.unique_key, d.id
        for update skip locked
      ), back as (
        insert into ebb.job (
          %1$s, run_at, redriven_at, version,
          attempt)
        select
          %1$s, statement_timestamp(), statement_timestamp(), version,
          %3$s
        from dead
        on conflict do nothing
        returning id, queue, kind
      ), tallied as (
      %2$s
      )
      delete from ebb.dead_letter d
      using back
      where d.id = back.id
      returning d.id
      """
          .formatted(
              KeptColumns.IN_DEAD_LETTER,
              Tally.of(Counter.REDRIVEN, "back"),
              FreshBudget.OF_REDRIVE);

  private static final String DISCARD =
      """
      with picked as materialized (
        select d.id
        from ebb.dead_letter d
        where d.id = any (?)
          and d.queue = ?
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
          %1$s, attempt, started_at, node,
          true
        from discarded
        returning id
      ), tallied as (
      %2$s
      )
      select id from kept
      """
          .formatted(KeptColumns.IN_HISTORY, Tally.of(Counter.DISCARDED, "discarded"));

  private DeadActions() {}

  static List<UUID> redrive(
      Connection connection, String queue, List<UUID> ids, boolean resetAttempts)
      throws SQLException {
    return Statements.list(
        connection,
        REDRIVE,
        p -> p.ids(ids).text(queue).flag(resetAttempts),
        row -> row.getObject("id", UUID.class));
  }

  static List<UUID> discard(Connection connection, String queue, List<UUID> ids)
      throws SQLException {
    return Statements.list(
        connection, DISCARD, p -> p.ids(ids).text(queue), row -> row.getObject("id", UUID.class));
  }
}
