select name, paused, policy, rate_limit, max_concurrency, created_at
from ebb.queue
order by name
