with dead as (
  delete from ebb.job j
  using unnest(
    ?::uuid[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[]
  ) as t (id, version, reason, failure_reason, failure, since_start, node)
  where j.id = any (?)
    and j.id = t.id
    and j.version = t.version -- fence
  returning j.*, t.reason, t.failure_reason, t.failure, t.since_start, t.node
)
insert into ebb.dead_letter (
  id, queue, kind, priority, run_at, created_at, redriven_at, max_attempts, unique_key,
  policy, labels, timeout_millis, payload, version, attempt,
  reason, failure_reason, failure, started_at, node)
select
  id, queue, kind, priority, run_at, created_at, redriven_at, max_attempts, unique_key,
  policy, labels, timeout_millis, payload, version + 1, attempt + 1,
  reason, failure_reason, failure,
  clock_timestamp() - since_start * interval '1 microsecond', node
from dead
