with dead as (
  select * from ebb.dead_letter where id = ? for update
), back as (
  insert into ebb.job (
    id, queue, kind, priority, run_at, created_at, redriven_at, max_attempts, unique_key,
    policy, labels, timeout_millis, payload, version)
  select
    id, queue, kind, priority, statement_timestamp(), created_at, statement_timestamp(),
    max_attempts, unique_key, policy, labels, timeout_millis, payload, version
  from dead
  on conflict do nothing
  returning id
)
delete from ebb.dead_letter d using back where d.id = back.id
returning d.queue
