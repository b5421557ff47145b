select set_config('lock_timeout', '250ms', true);
with free as materialized (
  select id from ebb.lease where id = any (?) order by id for update skip locked
)
select id, id in (select id from free) as free from ebb.lease where id = any (?)
