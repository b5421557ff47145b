select id
from ebb.lease
where expires_at < clock_timestamp()
order by id
limit ?
for update skip locked
