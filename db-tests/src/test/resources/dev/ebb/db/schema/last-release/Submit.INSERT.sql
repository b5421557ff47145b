insert into ebb.job (
  id, queue, kind, priority,
  run_at,
  max_attempts,
  policy, unique_key, timeout_millis, labels, payload)
select
  i.id, i.queue, i.kind, i.priority,
  coalesce(
    i.run_at::timestamptz, now() + i.delay_micros * interval '1 microsecond', now()),
  coalesce(
    i.max_attempts,
    ((select jsonb_object_agg(q.name, q.policy -> 'maxAttempts')
      from ebb.queue q
      where q.name = any (?::text[]) and q.policy is not null) ->> i.queue)::integer,
    ?),
  i.policy::jsonb, i.unique_key, i.timeout_millis, i.labels::jsonb, i.payload
from (
  select
    unnest(?::uuid[]) as id,
    unnest(?::text[]) as queue,
    unnest(?::text[]) as kind,
    unnest(?::smallint[]) as priority,
    unnest(?::text[]) as run_at,
    unnest(?::bigint[]) as delay_micros,
    unnest(?::integer[]) as max_attempts,
    unnest(?::text[]) as policy,
    unnest(?::text[]) as unique_key,
    unnest(?::integer[]) as timeout_millis,
    unnest(?::text[]) as labels,
    unnest(?::text[]) as payload
) i
