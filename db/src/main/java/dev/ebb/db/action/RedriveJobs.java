package dev.ebb.db.action;

import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The action redrive: makes dead letters available. */
final class RedriveJobs {
  // A row leaves the dead letters only if it arrived among the jobs. It is locked first: otherwise
  // a second redrive that was slow could bring back, from its old snapshot, a job that has ended
  // since. An erased payload is empty.
  private static final String REDRIVE =
      """
      with dead as materialized (
        select *
        from ebb.dead_letter d
        where d.id = any (?)
          and d.payload <> ''
        order by d.unique_key, d.id
        for update skip locked
      ), numbered as materialized (
        -- To the end of their keys, in the order in which they were submitted.
        select d.id, nextval('ebb.ordering_number') as ordering_number
        from dead d
        where d.ordering_key is not null
        order by d.id
      ), back as (
        insert into ebb.job (
          %1$s, run_at, redriven_at, version,
          ordering_number,
          attempt)
        select
          %1$s, statement_timestamp(), statement_timestamp(), version,
          n.ordering_number,
          %3$s
        from dead
        left join numbered n using (id)
        order by unique_key, id
        on conflict do nothing
        returning id, queue, kind
      ), tallied as (
      %2$s
      )
      delete from ebb.dead_letter d
      using back
      where d.id = back.id
      returning d.id, d.queue, false as requested
      """
          .formatted(
              KeptColumns.IN_DEAD_LETTER,
              Tally.of(Counter.REDRIVEN, "back"),
              FreshBudget.OF_REDRIVE);

  private RedriveJobs() {}

  static List<ActedJob> run(Connection connection, List<UUID> ids, boolean resetAttempts)
      throws SQLException {
    return Statements.list(
        connection, REDRIVE, p -> p.ids(ids).flag(resetAttempts), ActedJob::read);
  }
}
