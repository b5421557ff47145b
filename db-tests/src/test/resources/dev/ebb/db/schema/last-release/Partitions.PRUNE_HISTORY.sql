delete from ebb.history_stray
where ctid = any (array(
  select ctid from ebb.history_stray
  where ended_at < now() - make_interval(days => ?)
  limit ?
))
