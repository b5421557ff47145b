package dev.ebb.db.operation;

import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.FreshBudget;
import dev.ebb.db.settle.KeptColumns;
import dev.ebb.db.stats.Counter;
import dev.ebb.db.stats.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The actions on live jobs of one queue, each in one statement, which answers what it changed. All
 * are done under the queue's lock, so that no claim lies between the reading of the leases and the
 * writing. A row that somebody else has locked is left for the next time.
 */
final class LiveActions {
  /** When a job is due, or was without its hold. */
  private static final String DUE =
      "case when ebb.is_held(held_version, version, held_until) then held_run_at else run_at end";

  private static final String AVAILABLE =
      """
      with available as materialized (
        select j.id, j.version
        from ebb.job j
        where j.id = any (?)
          and j.queue = ?
          and (j.id, j.version) not in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = ?)
        order by j.id
        for update skip locked
      )\
      """;

  private static final String CANCEL =
      AVAILABLE
          + """
          , cancelled as (
            delete from ebb.job j
            using available a
            where j.id = a.id
              and j.version = a.version
            returning j.*
          ), kept as (
            insert into ebb.history (
              %1$s, attempt,
              cancelled)
            select
              %2$s, attempt,
              true
            from cancelled
            returning id
          ), tallied as (
          %3$s
          )
          select id from kept
          """
              .formatted(
                  KeptColumns.IN_HISTORY,
                  KeptColumns.IN_HISTORY.replace("run_at", DUE),
                  Tally.of(Counter.CANCELLED, "cancelled"));

  // The version stays, so that the lease still owns the job.
  private static final String REQUEST_CANCEL =
      """
      with running as materialized (
        select j.id, j.version
        from ebb.job j
        where j.id = any (?)
          and j.queue = ?
          and (j.id, j.version) in (
            select l.id, l.version
            from ebb.leased l
            where l.queue = ?)
        order by j.id
        for update skip locked
      )
      update ebb.job j
      set cancel_requested = true
      from running r
      where j.id = r.id
        and j.version = r.version
      returning j.id
      """;

  private static final String RETRY =
      AVAILABLE
          + """

          update ebb.job j
          set version = j.version + 1,
            run_at = least(j.run_at, statement_timestamp()),
            %s
          from available a
          cross join (select ?::boolean as fresh) b
          where j.id = a.id
            and j.version = a.version
            and not ebb.is_held(j.held_version, j.version, j.held_until)
          returning j.id
          """
              .formatted(FreshBudget.OF_RETRY);

  // A hold goes on.
  private static final String RESCHEDULE =
      AVAILABLE
          + """

          update ebb.job j
          set version = j.version + 1,
            run_at = case
              when ebb.is_held(j.held_version, j.version, j.held_until)
                then greatest(j.held_until, t.run_at)
              else t.run_at
            end,
            held_run_at = t.run_at,
            redriven_at = %s,
            held_version = case
              when ebb.is_held(j.held_version, j.version, j.held_until) then j.version + 1
            end
          from available a
          cross join (select ?::timestamptz as run_at) t
          where j.id = a.id
            and j.version = a.version
          returning j.id
          """
              .formatted(FreshBudget.OF_RUN_AT);

  // A hold goes on.
  private static final String SET_PRIORITY =
      AVAILABLE
          + """

          update ebb.job j
          set version = j.version + 1,
            priority = t.priority,
            held_version = case
              when ebb.is_held(j.held_version, j.version, j.held_until) then j.version + 1
            end
          from available a
          cross join (select ?::smallint as priority) t
          where j.id = a.id
            and j.version = a.version
          returning j.id
          """;

  private static final String HOLD =
      AVAILABLE
          + """

          update ebb.job j
          set version = j.version + 1,
            held_version = j.version + 1,
            held_until = t.until,
            held_reason = t.reason,
            held_run_at = case
              when ebb.is_held(j.held_version, j.version, j.held_until) then j.held_run_at
              else j.run_at
            end,
            run_at = greatest(
              t.until,
              case
                when ebb.is_held(j.held_version, j.version, j.held_until) then j.held_run_at
                else j.run_at
              end)
          from available a
          cross join (
            select coalesce(?::timestamptz, 'infinity') as until, ?::text as reason
          ) t
          where j.id = a.id
            and j.version = a.version
          returning j.id
          """;

  private LiveActions() {}

  /** Gives a statement what stands behind the jobs. */
  @FunctionalInterface
  private interface More {
    void bind(Parameters parameters) throws SQLException;
  }

  static List<UUID> cancel(Connection connection, String queue, List<UUID> ids)
      throws SQLException {
    return write(connection, CANCEL, queue, ids, _ -> {});
  }

  /** Asks those that run to stop. */
  static List<UUID> requestCancel(Connection connection, String queue, List<UUID> ids)
      throws SQLException {
    return write(connection, REQUEST_CANCEL, queue, ids, _ -> {});
  }

  static List<UUID> retry(
      Connection connection, String queue, List<UUID> ids, boolean resetAttempts)
      throws SQLException {
    return write(connection, RETRY, queue, ids, p -> p.flag(resetAttempts));
  }

  static List<UUID> reschedule(
      Connection connection, String queue, List<UUID> ids, @Nullable Instant at)
      throws SQLException {
    return write(connection, RESCHEDULE, queue, ids, p -> p.time(at));
  }

  static List<UUID> setPriority(
      Connection connection, String queue, List<UUID> ids, @Nullable Integer priority)
      throws SQLException {
    return write(connection, SET_PRIORITY, queue, ids, p -> p.integer(priority));
  }

  static List<UUID> hold(
      Connection connection,
      String queue,
      List<UUID> ids,
      @Nullable Instant until,
      @Nullable String reason)
      throws SQLException {
    return write(connection, HOLD, queue, ids, p -> p.time(until).text(reason));
  }

  private static List<UUID> write(
      Connection connection, String sql, String queue, List<UUID> ids, More more)
      throws SQLException {
    return Statements.list(
        connection,
        sql,
        p -> more.bind(p.ids(ids).text(queue).text(queue)),
        row -> row.getObject("id", UUID.class));
  }
}
