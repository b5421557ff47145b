select paused, rate_limit::text
from ebb.queue
where name = ?
for update
