select * from ebb.new_job where id = ?
