delete from ebb.attempt_stray
where ctid = any (array(
  select ctid from ebb.attempt_stray
  where ended_at < now() - make_interval(days => ?)
  limit ?
))
