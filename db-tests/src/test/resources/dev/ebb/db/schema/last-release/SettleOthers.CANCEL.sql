with cancelled as (
  delete from ebb.job j
  using unnest(?::uuid[], ?::integer[], ?::bigint[], ?::text[], ?::text[])
    as t (id, version, since_start, node, detail)
  where j.id = any (?)
    and j.id = t.id
    and j.version = t.version -- fence
  returning j.*, t.since_start, t.node, t.detail
)
insert into ebb.history (
  id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt, cancelled, started_at, node, detail)
select
  id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt + 1, true,
  clock_timestamp() - since_start * interval '1 microsecond', node, detail
from cancelled
