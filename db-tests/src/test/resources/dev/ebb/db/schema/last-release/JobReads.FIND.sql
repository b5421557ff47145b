select * from ebb.every_job where id = ?
