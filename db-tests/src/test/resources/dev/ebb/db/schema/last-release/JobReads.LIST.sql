with running as materialized (
  select l.id, l.version from ebb.leased l
), scanned as materialized (
  (
    select j.id, j.queue, j.kind,
      case when (j.id, j.version) in (select id, version from running)
        then 'running' else 'available' end as state
    from ebb.job j
    where ? and j.id < ?
    order by j.id desc
    limit ?
  )
  union all
  (
    select d.id, d.queue, d.kind, 'dead_letter'
    from ebb.dead_letter d
    where ? and d.id < ?
    order by d.id desc
    limit ?
  )
  union all
  (
    select h.id, h.queue, h.kind, case when h.cancelled then 'cancelled' else 'completed' end
    from ebb.every_history h
    where ? and h.id < ?
    order by h.id desc
    limit ?
  )
  order by id desc
  limit ?
), picked as materialized (
  select id
  from scanned
  where (?::text is null or queue = ?)
    and (?::text is null or kind = ?)
    and (?::text is null or state = ?)
  order by id desc
  limit ?
), summary as (
  select count(*) as scanned, (select id from scanned order by id limit 1) as oldest
  from scanned
)
select
  s.scanned, s.oldest, v.id, v.queue, v.kind, v.priority, v.state, v.attempt,
  v.max_attempts, v.run_at, v.created_at, v.started_at, v.ended_at, v.node,
  v.failure_reason, v.failure, v.dead_reason, v.cancel_requested, null::text as payload,
  v.policy, v.unique_key, v.timeout_millis, v.labels, v.progress
from summary s
left join (
  select v.*
  from picked p
  cross join lateral (select * from ebb.every_job e where e.id = p.id) v
) v on true
order by v.id desc
