with reached as materialized (
  select *
  from unnest('{0,1,2,3,4,5,6,7,8,9}'::smallint[], ?::timestamptz[], ?::uuid[])
    as t (priority, run_at, id)
), leased as materialized (
  select unnest(l.job_ids) as id, unnest(l.versions) as version
  from ebb.lease l
  where l.queue = ?
    and l.id <> all (?)
    and l.last_run_at >= (
      select min(r.run_at)
      from reached r
      where r.priority between l.first_priority and l.last_priority)
), due as materialized (
  select d.*
  from reached
  cross join lateral (
    select
      j.id, j.version, j.kind, j.priority, j.run_at, j.payload, j.attempt, j.max_attempts,
      j.snoozes, j.last_delay_micros, j.timeout_millis, j.cancel_requested, j.policy,
      coalesce(j.redriven_at, j.created_at) as budget_from
    from ebb.job j
    where j.queue = ?
      and j.priority = reached.priority
      and (j.run_at, j.id) > (reached.run_at, reached.id)
      and j.run_at <= statement_timestamp()
      and j.kind = any (?)
      and (j.id, j.version) not in (select id, version from leased)
    order by j.run_at, j.id
    limit ?
  ) d
  where not exists (
    select from ebb.queue q where q.name = ? and (q.paused or q.limited <> ?))
  limit ?
), taken as (
  insert into ebb.lease (
    queue, node, claimed_at, expires_at, length_micros,
    job_ids, versions, first_priority, last_priority, last_run_at)
  select
    ?, ?, statement_timestamp(), clock_timestamp() + ? * interval '1 microsecond', ?,
    array_agg(id), array_agg(version), min(priority), max(priority), max(run_at)
  from due
  having count(*) > 0
  returning id, claimed_at
)
select
  d.id, d.version, t.id as lease_id, d.kind, d.priority, d.payload,
  octet_length(d.payload) as payload_bytes, d.attempt, d.max_attempts, d.snoozes,
  d.last_delay_micros, d.timeout_millis, d.cancel_requested, d.budget_from, d.policy::text,
  t.claimed_at, d.run_at
from taken t
cross join due d
