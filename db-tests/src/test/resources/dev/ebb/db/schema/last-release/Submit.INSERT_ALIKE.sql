insert into ebb.job (id, queue, kind, priority, run_at, max_attempts, payload)
select
  i.id, ?, ?, ?, now(),
  coalesce(
    ?,
    (select (q.policy ->> 'maxAttempts')::integer from ebb.queue q where q.name = ?),
    ?),
  i.payload
from unnest(?::uuid[], ?::text[]) as i (id, payload)
