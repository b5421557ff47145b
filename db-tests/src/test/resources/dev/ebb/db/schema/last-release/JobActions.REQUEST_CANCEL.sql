update ebb.job j
set cancel_requested = true
where j.id = ?
  and (j.id, j.version) in (
    select l.id, l.version
    from ebb.leased l
    where l.queue = ?)
