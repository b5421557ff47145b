package dev.ebb.db.action;

import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The action cancel: takes available jobs out, and asks those that run to stop. The history keeps
 * the time at which a held job would have been due.
 */
final class CancelJobs {
  // The version of what runs stays, so that the lease still owns the job, and its holder settles it
  // as cancelled.
  static final String CANCEL =
      """
      with live as materialized (
        select j.id, j.version,
          (j.id, j.version) in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = any (?)) as running
        from ebb.job j
        where j.id = any (?)
          and j.queue = any (?)
        order by j.id
        for update skip locked
      ), cancelled as (
        delete from ebb.job j
        using live a
        where j.id = a.id
          and j.version = a.version
          and not a.running
        returning j.*
      ), requested as (
        update ebb.job j
        set cancel_requested = true
        from live a
        where j.id = a.id
          and j.version = a.version
          and a.running
        returning j.id, j.queue
      ), kept as (
        insert into ebb.history (
          %1$s, attempt,
          cancelled)
        select
          %2$s, attempt,
          true
        from cancelled j
        returning id, queue
      ), tallied as (
      %3$s
      )
      select id, queue, false as requested from kept
      union all
      select id, queue, true from requested
      """
          .formatted(
              KeptColumns.IN_HISTORY,
              KeptColumns.TO_HISTORY.replace("run_at", AvailableJobs.DUE),
              Tally.of(Counter.CANCELLED, "cancelled"));

  private CancelJobs() {}

  static List<ActedJob> run(Connection connection, List<UUID> ids, List<String> queues)
      throws SQLException {
    return Statements.list(
        connection, CANCEL, p -> p.texts(queues).ids(ids).texts(queues), ActedJob::read);
  }
}
