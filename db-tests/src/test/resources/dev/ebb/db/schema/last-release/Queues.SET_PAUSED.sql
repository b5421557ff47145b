insert into ebb.queue as q (name, paused)
select name, paused
from (select ?::text as name, ?::boolean as paused) wanted
where paused
  or exists (select from ebb.queue q where q.name = wanted.name)
  or exists (select from ebb.job j where j.queue = wanted.name)
on conflict (name) do update
set paused = excluded.paused
returning q.name, q.paused, q.policy, q.rate_limit, q.max_concurrency, q.created_at
