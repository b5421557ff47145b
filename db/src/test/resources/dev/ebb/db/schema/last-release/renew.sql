with mine as materialized (
  select id from ebb.lease where id = any (?) order by id for update
)
update ebb.lease l
set expires_at = clock_timestamp() + ? * interval '1 microsecond'
from mine
where l.id = mine.id
returning l.id
