with moved as (
  delete from ebb.history_rest
  where ctid = any (array(select ctid from ebb.history_rest limit ?))
  returning *
)
insert into ebb.history_stray select * from moved
