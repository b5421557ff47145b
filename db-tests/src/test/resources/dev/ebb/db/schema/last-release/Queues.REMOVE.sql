delete from ebb.queue
where name = ?
