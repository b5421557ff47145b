-- A claim reads the leases of its queue from the first live one on, not through those that ended
-- and that an old snapshot keeps. The stronger lock comes first.
drop index ebb.lease_queue;
create index lease_of_queue on ebb.lease (queue, id);
