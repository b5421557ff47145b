-- Ordering keys: the jobs of a queue that have the same key run one at a time, in the order of their
-- numbers, and each keeps the others from running until it has ended.
--
--     key      a      a      a      b      -           one queue
--     number   7      9      12     8      -
--              runs   waits  waits  runs   runs
--              head   blocked

-- In the order in which a reader of the views takes them, so that neither waits for the other.
lock table ebb.every_job, ebb.new_job in access exclusive mode;

-- One for each job with a key. Of two jobs, of which one was acknowledged before the other was
-- submitted, the first has the smaller number.
create sequence ebb.ordering_number;

alter table ebb.job
  add column ordering_key    text collate "C",
  add column ordering_number bigint,
  -- Until when it keeps those behind it from running; null for as long as it is here, and -infinity
  -- once somebody skipped it.
  add column blocks_until    timestamptz,
  -- A blocked job is out of the claims' way by a hold of Ebb's own: it waits for its turn while this
  -- names the version of the row, as a hold does.
  add column blocked_version integer;
alter table ebb.dead_letter add column ordering_key text collate "C";
alter table ebb.history add column ordering_key text collate "C";
alter table ebb.history_stray add column ordering_key text collate "C";

create index job_ordering on ebb.job (queue, ordering_key, ordering_number)
  where ordering_key is not null;

-- How long a job of the queue may keep others of its key from running; null for no limit.
alter table ebb.queue add column ordering jsonb;

create or replace view ebb.every_history as
select * from ebb.history
union all
select * from ebb.history_stray;

create or replace view ebb.new_job as
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end as state,
  j.attempt + (l.node is not null)::integer as attempt,
  j.max_attempts,
  case when w.waits then j.held_run_at else j.run_at end as run_at,
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
  case when h.held then j.held_reason end as held_reason,
  j.destination,
  ebb.subject((select s.subject from ebb.settings s), j.labels, j.destination) as subject,
  j.ordering_key, b.blocked
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
cross join lateral (
  select l.node is null and ebb.is_held(j.held_version, j.version, j.held_until) as waits
) w
cross join lateral (
  select w.waits and j.blocked_version is not distinct from j.version as blocked
) b
cross join lateral (select w.waits and not b.blocked as held) h
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
  case when w.waits then j.held_run_at else j.run_at end,
  j.created_at,
  coalesce(l.claimed_at, a.started_at), null, coalesce(l.node, a.node),
  a.failure_reason, a.failure, null,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress,
  j.version,
  h.held,
  case when h.held then nullif(j.held_until, 'infinity') end,
  case when h.held then j.held_reason end,
  j.destination,
  ebb.subject((select s.subject from ebb.settings s), j.labels, j.destination),
  j.ordering_key, b.blocked
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
cross join lateral (
  select l.node is null and ebb.is_held(j.held_version, j.version, j.held_until) as waits
) w
cross join lateral (
  select w.waits and j.blocked_version is not distinct from j.version as blocked
) b
cross join lateral (select w.waits and not b.blocked as held) h
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
  d.version, false, null, null,
  d.destination,
  ebb.subject((select s.subject from ebb.settings s), d.labels, d.destination),
  d.ordering_key, false
from ebb.dead_letter d
union all
select
  h.id, h.queue, h.kind, h.priority,
  case when h.cancelled then 'cancelled' else 'completed' end,
  h.attempt, h.max_attempts, h.run_at, h.created_at, h.started_at, h.ended_at, h.node,
  null, null, null, false, null, null, h.unique_key, null, h.labels, null,
  null, false, null, null,
  h.destination,
  ebb.subject((select s.subject from ebb.settings s), h.labels, h.destination),
  h.ordering_key, false
from ebb.every_history h;
