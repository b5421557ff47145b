package dev.ebb.db.claim;

import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The statements of a look, the last of which reads the due jobs that no lease names. That one has
 * two forms, because asking whose turn it is makes each look slower by almost half; and older
 * servers have both in forms of their own.
 *
 * @param any where no job has an ordering key
 * @param inTurn only the jobs whose turn it is, and those that are blocked, to be parked
 */
record Due(String any, String inTurn) {
  /**
   * Through how many due jobs the scans of a queue go together, claimed ones and those of other
   * kinds among them: so long may a claim hold the lock. The next one goes on from there.
   */
  static final int STRETCH = 20_000;

  private static final String IN_CLAIM_ORDER =
      """
      from ebb.job j
      where j.queue = a.queue
        and j.priority = any (('{0,1,2,3,4,5,6,7,8,9}'::smallint[])[r.low + 1:r.high + 1])
        and (j.run_at, j.id) > (r.run_at, r.id)
        and j.run_at <= statement_timestamp()
      order by j.priority, j.run_at, j.id\
      """;

  /** One scan for each priority, where one that goes through several loses their order. */
  private static final String BY_PRIORITY =
      """
      from unnest(('{0,1,2,3,4,5,6,7,8,9}'::smallint[])[r.low + 1:r.high + 1]) as p (priority)
      cross join lateral (
        select *
        from ebb.job j
        where j.queue = a.queue
          and j.priority = p.priority
          and (j.run_at, j.id) > (r.run_at, r.id)
          and j.run_at <= statement_timestamp()
        order by j.run_at, j.id
      ) j\
      """;

  // A lease is skipped if none of its jobs can lie behind the cursor.
  //
  // The scans of a queue start where the node's claims ended (see ScanCursor), in the order of the
  // priorities: the outer limits end them as soon as there are enough, before it is asked where
  // their stretch ends.
  /** What is due; its last three places are for the questions whose turn it is. */
  private static final String PATTERN =
      """
      with asked as materialized (
        select
          s.*,
          (
            select l.id
            from ebb.lease l
            where l.queue = s.queue
              and l.id >= s.leases_from
            order by l.queue, l.id
            limit 1
          ) as first_lease,
          (
            select 1 from ebb.job k where k.queue = s.queue and k.ordering_key is not null limit 1
          ) as ordered
        from (
          select
            t.queue,
            greatest(1, least(t.most, q.max_concurrency,
              -- As LimiterView.mostAtOnce; a newer version may store what this one cannot read.
              case when jsonb_typeof(q.rate_limit -> 'permitsPerSecond') = 'number' then
                ceil((q.rate_limit ->> 'permitsPerSecond')::double precision * 2 * %1$s / 1000) + 1
              end,
              case when x.state ->> 'phase' <> 'CLOSED' then 1 end))::integer as most,
            c.lows[t.first:t.last] as lows, c.highs[t.first:t.last] as highs,
            c.run_ats[t.first:t.last] as run_ats, c.ids[t.first:t.last] as ids,
            case when t.read_at <= statement_timestamp() then t.leases_from else 0 end
              as leases_from
          from (
            select
              ?::integer[] as lows, ?::integer[] as highs, ?::timestamptz[] as run_ats,
              ?::uuid[] as ids
          ) c
          cross join unnest(
            ?::text[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::timestamptz[]
          ) as t (queue, most, first, last, leases_from, read_at)
          left join ebb.queue q on q.name = t.queue
          left join ebb.circuit x on x.queue = t.queue and q.destination is not null
          where t.queue = any (%2$s)
            and (x.held_until > statement_timestamp()) is not true
            and (q.paused and coalesce(q.paused_until > statement_timestamp(), true)) is not true
        ) s
      ), leased as materialized (
        select unnest(l.job_ids) as id, unnest(l.versions) as version
        from asked a
        -- The offset keeps a plan that was made while the table was empty from reading all of it.
        cross join lateral (
          select *
          from ebb.lease l
          where l.queue = a.queue
            and l.id >= a.leases_from
          offset 0
        ) l
        where l.id <> all (?)
          and l.last_run_at >= (
            select min(r.run_at)
            from unnest(a.lows, a.highs, a.run_ats) as r (low, high, run_at)
            where r.low <= l.last_priority and r.high >= l.first_priority)
      )%%1$s
      select d.*, statement_timestamp() as now, a.first_lease, a.ordered as has_keys
      from asked a
      cross join lateral (
        select
          j.id, j.version, null::bigint as lease_id, j.kind, j.priority, j.payload,
          octet_length(j.payload) as payload_bytes, j.attempt, j.max_attempts, j.snoozes,
          j.last_delay_micros, j.timeout_millis, j.cancel_requested, %3$s as budget_from,
          j.policy::text,
          ebb.subject((select s.subject from ebb.settings s), j.labels, j.destination) as subject,
          a.queue,
          (date_part('epoch', statement_timestamp() - j.run_at) * 1000000)::bigint as late_micros,
          j.is_end, j.ordering_key is not null as ordered, j.blocked,
          j.follow_ups is not null as followed, j.traceparent
        from unnest(a.lows, a.highs, a.run_ats, a.ids) as r (low, high, run_at, id)
        cross join lateral (
          select j.*, false as is_end, null::uuid[] as blocked
          from (
            select j.*
            %4$s
            limit %5$s / cardinality(a.lows)
          ) j
          where j.kind = any (?)
            and (j.id, j.version) not in (select id, version from leased)%%2$s
          union all
          (
            select j.*, true, null
            %4$s
            limit 1
            offset %5$s / cardinality(a.lows) - 1
          )%%3$s
          limit a.most + coalesce(a.ordered, 0)
        ) j
        -- The ends and the blocked take no job's place.
        limit a.most + 2 * cardinality(a.lows)
      ) d
      """
          .formatted(
              WarmUpLimiter.BURST_MILLIS, QueueLock.TAKEN, ClaimedRow.BUDGET_FROM, "%4$s", STRETCH);

  /** Where no job has an ordering key. */
  static final String ANY = any(IN_CLAIM_ORDER);

  /** Only the jobs whose turn it is, and those that are blocked, to be parked. */
  static final String IN_TURN = inTurn(IN_CLAIM_ORDER);

  private static final Due NEWER = in(ANY, IN_TURN);
  private static final Due OLDER = in(any(BY_PRIORITY), inTurn(BY_PRIORITY));

  private static Due in(String any, String inTurn) {
    // concat keeps the guard a text of its own, which the controls can rewrite.
    return new Due(Look.LOCKS.concat(any), Look.LOCKS.concat(inTurn));
  }

  /** From PostgreSQL 17 on, a scan of an index for several values has the order of the index. */
  static Due on(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion() < 17 ? OLDER : NEWER;
  }

  private static String any(String order) {
    return PATTERN.formatted("", "", "", order);
  }

  private static String inTurn(String order) {
    return PATTERN.formatted(
        """
        , running as materialized (
        %s
        )\
        """
            .formatted(Turn.RUNNING),
        "\n      and " + Turn.IS_THERE,
        """

            union all
            select (null::ebb.job).*, true, array_agg(b.id)
            from (
              select j.id
              from (
                select j.*
                %s
                limit %s / cardinality(a.lows)
              ) j
              where a.ordered = 1
                and j.ordering_key is not null
                and j.kind = any (?)
                and (j.id, j.version) not in (select id, version from leased)
                and (j.blocks_until <= statement_timestamp()) is not true
                and %s is not null
              limit %s
            ) b
            having count(*) > 0\
        """
            .formatted(order, STRETCH, Turn.BLOCKER, Turn.MOST_BLOCKED),
        order);
  }
}
