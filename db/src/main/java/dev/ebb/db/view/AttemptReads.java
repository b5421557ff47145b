package dev.ebb.db.view;

import dev.ebb.core.job.Failure;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.ShortageColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the attempts of a job: page by page, or one. */
final class AttemptReads {
  private static final int PAGE_BYTES = 1024 * 1024;

  // The attempt that ended a job stands in its history row, a running one in its lease.
  private static final String EVERY =
      """
      with every as (
        select
          started_at, coalesce(ended_at, 'infinity') as until, ended_at, number, node, outcome,
          failure_reason, failure, detail, due_at, short_since, short_until, recorded_at
        from ebb.every_attempt
        where job_id = ?
        union all
        select
          started_at, coalesce(ended_at, 'infinity'), ended_at, attempt, node,
          case when cancelled then 'cancelled' else 'completed' end, null, null, detail,
          case when recorded_at is not null then greatest(run_at, created_at) end,
          short_since, short_until, recorded_at
        from ebb.every_history
        where id = ? and started_at is not null
        union all
        select
          l.claimed_at, 'infinity', null, j.attempt + 1, l.node, null, null, null, null,
          greatest(j.run_at, j.created_at), l.short_since, l.short_until, null
        from ebb.job j
        join ebb.lease l on l.queue = j.queue
        cross join unnest(l.job_ids, l.versions) as named (id, version)
        where j.id = ? and (named.id, named.version) = (j.id, j.version)
      ), in_turn as (
        -- One that was given back has been due since before: it waits again from then on.
        select
          *,
          greatest(due_at, lag(ended_at) over (order by started_at, until)) as waits_since
        from every
      )
      """;

  // A number is used again after an attempt was given back, and after a redrive.
  private static final String NEWEST =
      EVERY
          + """
          select *
          from in_turn
          where number = ?
          order by started_at desc, until desc
          limit 1
          """;

  // PostgreSQL keeps a large detail outside of its row and knows its length: only the details of
  // the page are read.
  private static final String PAGE =
      EVERY
          + """
          , found as (
            select *
            from in_turn
            where (started_at, until) > (
              coalesce(?::timestamptz, '-infinity'), coalesce(?::timestamptz, 'infinity'))
            order by started_at, until
            limit ?
          ), placed as (
            select
              *,
              row_number() over places as place,
              count(*) over () as candidates,
              sum(coalesce(octet_length(detail), 0)) over places - coalesce(octet_length(detail), 0)
                as bytes_before
            from found
            window places as (order by started_at, until rows unbounded preceding)
          )
          select
            number, node, started_at, ended_at, outcome, failure_reason, failure, detail,
            due_at, waits_since, short_since, short_until, recorded_at,
            place < candidates as has_next
          from placed
          where place = 1 or (place <= ? and bytes_before < ?)
          order by place
          """;

  private static final String LATEST =
      EVERY
          + """
          select *
          from in_turn
          order by started_at desc, until desc
          limit ?
          """;

  private static final String GONE_BEFORE =
      """
      select k.kept_from
      from ebb.attempts_kept_from() as k (kept_from)
      where ?::uuid < ebb.first_id(k.kept_from)
      """;

  private AttemptReads() {}

  /** Before when attempts of the job are no longer kept; {@code null} if it is younger. */
  static @Nullable Instant goneBefore(Connection connection, UUID job) throws SQLException {
    return Statements.first(
        connection, GONE_BEFORE, p -> p.id(job), row -> Rows.instant(row, "kept_from"));
  }

  /** The newest, the newest first. */
  static List<AttemptView> latest(Connection connection, UUID job, int limit) throws SQLException {
    return Statements.list(
        connection, LATEST, p -> p.id(job).id(job).id(job).integer(limit), AttemptReads::attempt);
  }

  /** The newest of those with that number. */
  static Optional<AttemptView> newest(Connection connection, UUID job, int number)
      throws SQLException {
    AttemptView newest =
        Statements.first(
            connection,
            NEWEST,
            p -> p.id(job).id(job).id(job).integer(number),
            AttemptReads::attempt);
    return Optional.ofNullable(newest);
  }

  static AttemptPage page(
      Connection connection, UUID job, AttemptPage.@Nullable Position after, int limit)
      throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, PAGE)) {
      Parameters.of(statement)
          .id(job)
          .id(job)
          .id(job)
          .time(after == null ? null : after.startedAt())
          .time(after == null ? null : after.endedAt())
          .integer(limit + 1)
          .integer(limit)
          .integer(PAGE_BYTES);
      try (ResultSet rows = statement.executeQuery()) {
        return page(rows, goneBefore(connection, job));
      }
    }
  }

  private static AttemptPage page(ResultSet rows, @Nullable Instant goneBefore)
      throws SQLException {
    List<AttemptView> attempts = new ArrayList<>();
    boolean hasNext = false;
    while (rows.next()) {
      attempts.add(attempt(rows));
      hasNext = rows.getBoolean("has_next");
    }
    return new AttemptPage(attempts, hasNext ? behind(attempts.getLast()) : null, goneBefore);
  }

  private static AttemptPage.Position behind(AttemptView attempt) {
    return new AttemptPage.Position(attempt.startedAt(), attempt.endedAt());
  }

  private static AttemptView attempt(ResultSet row) throws SQLException {
    String reason = row.getString("failure_reason");
    return new AttemptView(
        row.getInt("number"),
        row.getString("node"),
        Rows.instant(row, "started_at"),
        Rows.instantOrNull(row, "ended_at"),
        Rows.outcome(row),
        reason == null ? null : new Failure(reason, row.getString("failure")),
        row.getString("detail"),
        Rows.instantOrNull(row, "due_at"),
        waited(row),
        Rows.instantOrNull(row, "recorded_at"));
  }

  private static @Nullable AttemptWait waited(ResultSet row) throws SQLException {
    if (Rows.instantOrNull(row, "due_at") == null) {
      return null;
    }
    return AttemptWait.of(
        Rows.instant(row, "waits_since"),
        Rows.instant(row, "started_at"),
        ShortageColumns.read(row));
  }
}
