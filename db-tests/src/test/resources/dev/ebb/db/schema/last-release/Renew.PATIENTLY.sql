select set_config('lock_timeout', '500ms', true);
with mine as materialized (
  select id from ebb.lease where id = any (?) order by id for update
), renewed as (
  update ebb.lease l
  set expires_at = clock_timestamp() + ? * interval '1 microsecond'
  from mine
  where l.id = mine.id
  returning l.id
)
select l.id, r.id is not null as renewed
from ebb.lease l
left join renewed r on r.id = l.id
where l.id = any (?)
