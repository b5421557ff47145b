with free as materialized (
  select id from ebb.job where id = any (?) order by id for update skip locked
)
select id, id in (select id from free) as free from ebb.job where id = any (?)
