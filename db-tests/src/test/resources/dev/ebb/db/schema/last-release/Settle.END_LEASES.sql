delete from ebb.lease where id = any (?)
