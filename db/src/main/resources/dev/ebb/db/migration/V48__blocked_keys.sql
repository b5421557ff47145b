-- The parked jobs of each ordering key, those first that are parked for longest and then in their
-- order: the keys of a queue are found step by step, however many jobs wait behind one of them.
-- What is held until a time that is over waits no longer.
create index job_blocked on ebb.job (queue, ordering_key, held_until desc, ordering_number)
  where blocked_version = version;
