package dev.ebb.db.waiting;

import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.claim.ClaimedRow;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what a live job waits for; of its queue no more than a bounded part. */
public final class Waits {
  /** How many jobs before it are looked at, at most. */
  public static final int MOST_AHEAD = 1_000;

  private static final String JOB =
      """
      select
        j.id, j.queue, j.kind, j.priority, j.attempt + 1 as attempt, now() as now,
        case when w.waits then j.held_run_at else j.run_at end as run_at,
        h.held,
        case when h.held then nullif(j.held_until, 'infinity') end as held_until,
        case when h.held then j.held_reason end as held_reason,
        case when h.held then (
          select a.actor
          from ebb.audit a
          where a.subject = j.id::text and a.action = 'job.hold'
          order by a.id desc
          limit 1)
        end as held_by,
        l.node, l.claimed_at,
        b.id as blocker, j.ordering_key, b.attempt as blocker_attempt, b.run_at as blocker_run_at,
        b.blocks_until, b.running as blocker_runs, b.failure_reason as blocker_failure,
        %s as budget_from, j.policy::text as policy, q.policy::text as queue_policy
      from ebb.job j
      left join ebb.queue q on q.name = j.queue
      left join lateral (
        select l.node, l.claimed_at
        from ebb.leased l
        where (l.queue, l.id, l.version) = (j.queue, j.id, j.version)
        limit 1
      ) l on true
      cross join lateral (
        select l.node is null and ebb.is_held(j.held_version, j.version, j.held_until) as waits
      ) w
      cross join lateral (
        select w.waits and j.blocked_version is distinct from j.version as held
      ) h
      left join lateral (
        select
          e.id, e.attempt + 1 as attempt, e.blocks_until,
          case
            when ebb.is_held(e.held_version, e.version, e.held_until) then e.held_run_at
            else e.run_at
          end as run_at,
          (e.id, e.version) in (
            select n.id, n.version from ebb.leased n where n.queue = e.queue
          ) as running,
          (
            select a.failure_reason
            from ebb.every_attempt a
            where a.job_id = e.id and a.failure_reason is not null
            order by a.ended_at desc
            limit 1
          ) as failure_reason
        from ebb.job e
        where l.node is null
          and e.queue = j.queue
          and e.ordering_key = j.ordering_key
          and e.ordering_number < j.ordering_number
          and (e.blocks_until is null or e.blocks_until > now())
        order by e.ordering_number
        limit 1
      ) b on true
      where j.id = ?
      """
          .formatted(ClaimedRow.BUDGET_FROM);

  private static final String IN_FLIGHT =
      """
      select count(*)
      from (
        select
        from ebb.leased l
        join ebb.job j on j.id = l.id and j.version = l.version
        where l.queue = ?
        limit ?
      ) claimed
      """;

  // One scan per priority, as a claim makes it: a scan of them all would walk over the jobs of
  // better priorities that are not due.
  private static final String AHEAD =
      """
      with running as materialized (
        select l.id, l.version from ebb.leased l where l.queue = ?
      ), own as materialized (
        select ?::smallint as priority, ?::timestamptz as run_at, ?::uuid as id
      ), before as materialized (
        select d.*
        from generate_series(0, 9) as p (priority)
        join own on p.priority <= own.priority
        cross join lateral (
          select j.id, j.version
          from ebb.job j
          where j.queue = ?
            and j.priority = p.priority::smallint
            and (j.run_at, j.id) < (
              case when p.priority < own.priority then statement_timestamp() else own.run_at end,
              own.id)
          order by j.run_at, j.id
          limit ?
        ) d
        limit ?
      )
      select
        count(*) as looked,
        count(*) filter (where (id, version) not in (select id, version from running)) as ahead
      from before
      """;

  private final Database database;

  public Waits(Database database) {
    this.database = database;
  }

  /**
   * How many due jobs come before a job.
   *
   * @param exact whether all of them were looked at; otherwise there are more
   */
  public record Ahead(int jobs, boolean exact) {}

  /** The job; empty if it has ended or is unknown. */
  public Optional<WaitingJob> find(UUID id) throws SQLException {
    return database.inAutocommit(connection ->
        Optional.ofNullable(Statements.first(connection, JOB, p -> p.id(id), Waits::job)));
  }

  private static WaitingJob job(ResultSet row) throws SQLException {
    return new WaitingJob(
        row.getObject("id", UUID.class),
        row.getString("queue"),
        row.getString("kind"),
        row.getInt("priority"),
        row.getInt("attempt"),
        Rows.instant(row, "run_at"),
        policy(row).lastStart(Rows.instant(row, "budget_from")),
        hold(row),
        blocker(row),
        run(row),
        Rows.instant(row, "now"));
  }

  private static RetryPolicy policy(ResultSet row) throws SQLException {
    RetryPolicy queue =
        StoredSettings.policy(row.getString("queue_policy"), StoredSettings.DEFAULT_POLICY);
    return StoredSettings.policy(row.getString("policy"), queue);
  }

  private static WaitingJob.@Nullable Hold hold(ResultSet row) throws SQLException {
    return row.getBoolean("held")
        ? new WaitingJob.Hold(
            Rows.instantOrNull(row, "held_until"),
            row.getString("held_reason"),
            row.getString("held_by"))
        : null;
  }

  private static WaitingJob.@Nullable Blocker blocker(ResultSet row) throws SQLException {
    UUID id = row.getObject("blocker", UUID.class);
    return id == null
        ? null
        : new WaitingJob.Blocker(
            id,
            row.getString("ordering_key"),
            row.getInt("blocker_attempt"),
            Rows.instant(row, "blocker_run_at"),
            Rows.instantOrNull(row, "blocks_until"),
            row.getBoolean("blocker_runs"),
            row.getString("blocker_failure"));
  }

  private static WaitingJob.@Nullable Run run(ResultSet row) throws SQLException {
    String node = row.getString("node");
    return node == null ? null : new WaitingJob.Run(node, Rows.instant(row, "claimed_at"));
  }

  /** How many jobs of the queue are claimed, counted up to this many. */
  public int inFlight(String queue, int most) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection, IN_FLIGHT, p -> p.text(queue).integer(most), row -> row.getInt(1)));
  }

  /** How many jobs of its queue a claim takes before a job that is due. */
  public Ahead ahead(WaitingJob job) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection,
            AHEAD,
            p ->
                p.text(job.queue())
                    .integer(job.priority())
                    .time(job.runAt())
                    .id(job.id())
                    .text(job.queue())
                    .integer(MOST_AHEAD)
                    .integer(MOST_AHEAD),
            row -> new Ahead(row.getInt("ahead"), row.getInt("looked") < MOST_AHEAD)));
  }
}
