select n.name, q.paused, q.policy, q.rate_limit, q.max_concurrency, q.created_at
from (select ?::text as name) n
left join ebb.queue q on q.name = n.name
where q.name is not null
  or exists (select from ebb.job j where j.queue = n.name)
