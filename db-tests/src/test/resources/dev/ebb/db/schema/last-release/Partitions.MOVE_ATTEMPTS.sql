with moved as (
  delete from ebb.attempt_rest
  where ctid = any (array(select ctid from ebb.attempt_rest limit ?))
  returning *
)
insert into ebb.attempt_stray select * from moved
