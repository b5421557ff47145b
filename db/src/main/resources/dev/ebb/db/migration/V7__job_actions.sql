-- What people do to a job that does not run: hold it, change it, erase its payload.

-- In the order in which a reader of the views takes them, so that neither waits for the other.
lock table ebb.every_job, ebb.new_job in access exclusive mode;

-- A hold moves a job's run_at to its end, so that no claim comes upon the job before, and the claim
-- that takes it then needs no other to release it. The hold counts while it names the version of
-- the row: any other change of the job ends it.
alter table ebb.job
  add column held_version integer,
  -- Infinity until somebody releases it.
  add column held_until   timestamptz,
  -- When it is due without the hold.
  add column held_run_at  timestamptz,
  add column held_reason  text;

create function ebb.is_held(held_version integer, version integer, held_until timestamptz)
returns boolean
language sql stable
return coalesce(held_version = version and held_until > statement_timestamp(), false);

create or replace view ebb.new_job as
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end as state,
  j.attempt + (l.node is not null)::integer as attempt,
  j.max_attempts,
  case when h.held then j.held_run_at else j.run_at end as run_at,
  j.created_at,
  l.claimed_at as started_at,
  null::timestamptz as ended_at,
  l.node,
  null::text as failure_reason, null::text as failure, null::text as dead_reason,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress,
  j.version,
  h.held,
  case when h.held then nullif(j.held_until, 'infinity') end as held_until,
  case when h.held then j.held_reason end as held_reason
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
cross join lateral (
  select l.node is null and ebb.is_held(j.held_version, j.version, j.held_until) as held
) h
where j.attempt = 0;

-- An erased payload is empty, which no JSON text is.
create or replace view ebb.every_job as
select * from ebb.new_job
union all
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end,
  j.attempt + (l.node is not null)::integer,
  j.max_attempts,
  case when h.held then j.held_run_at else j.run_at end,
  j.created_at,
  coalesce(l.claimed_at, a.started_at), null, coalesce(l.node, a.node),
  a.failure_reason, a.failure, null,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress,
  j.version,
  h.held,
  case when h.held then nullif(j.held_until, 'infinity') end,
  case when h.held then j.held_reason end
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
cross join lateral (
  select l.node is null and ebb.is_held(j.held_version, j.version, j.held_until) as held
) h
left join lateral (
  select a.started_at, a.node, a.failure_reason, a.failure
  from ebb.every_attempt a
  where a.job_id = j.id and a.failure_reason is not null
  order by a.ended_at desc
  limit 1
) a on true
where j.attempt > 0
union all
select
  d.id, d.queue, d.kind, d.priority, 'dead_letter', d.attempt, d.max_attempts, d.run_at,
  d.created_at, d.started_at, d.died_at, d.node, d.failure_reason, d.failure, d.reason, false,
  nullif(d.payload, ''), d.policy, d.unique_key, d.timeout_millis, d.labels, null,
  d.version, false, null, null
from ebb.dead_letter d
union all
select
  h.id, h.queue, h.kind, h.priority,
  case when h.cancelled then 'cancelled' else 'completed' end,
  h.attempt, h.max_attempts, h.run_at, h.created_at, h.started_at, h.ended_at, h.node,
  null, null, null, false, null, null, h.unique_key, null, h.labels, null,
  null, false, null, null
from ebb.every_history h;
