-- The live jobs that have spent no attempt, as people see them. A lookup by id tries this view
-- first: to look everywhere costs ten times as much as a submit.
create view ebb.new_job as
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end as state,
  j.attempt + (l.node is not null)::integer as attempt,
  j.max_attempts, j.run_at, j.created_at,
  l.claimed_at as started_at,
  null::timestamptz as ended_at,
  l.node,
  null::text as failure_reason, null::text as failure, null::text as dead_reason,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
where j.attempt = 0;

-- Every job, wherever it is, as people see it. Not for the claim path.
create view ebb.every_job as
select * from ebb.new_job
union all
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end,
  j.attempt + (l.node is not null)::integer,
  j.max_attempts, j.run_at, j.created_at,
  coalesce(l.claimed_at, a.started_at), null, coalesce(l.node, a.node),
  a.failure_reason, a.failure, null,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
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
  d.payload, d.policy, d.unique_key, d.timeout_millis, d.labels, null
from ebb.dead_letter d
union all
select
  h.id, h.queue, h.kind, h.priority,
  case when h.cancelled then 'cancelled' else 'completed' end,
  h.attempt, h.max_attempts, h.run_at, h.created_at, h.started_at, h.ended_at, h.node,
  null, null, null, false, null, null, h.unique_key, null, h.labels, null
from ebb.every_history h;
