insert into ebb.queue as q (name, paused, policy, rate_limit, max_concurrency)
values (?, ?, ?::jsonb, ?::jsonb, ?)
on conflict (name) do update
set paused = excluded.paused, policy = excluded.policy, rate_limit = excluded.rate_limit,
  max_concurrency = excluded.max_concurrency
returning (q.xmax = 0) as created
