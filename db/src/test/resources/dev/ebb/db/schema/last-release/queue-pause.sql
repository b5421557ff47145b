update ebb.queue
set paused = ?
where name = ?
returning name, paused, policy, rate_limit, max_concurrency, created_at
