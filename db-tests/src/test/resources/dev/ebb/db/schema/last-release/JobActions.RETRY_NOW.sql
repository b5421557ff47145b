update ebb.job j
set version = j.version + 1, run_at = least(j.run_at, statement_timestamp())
where j.id = ?
  and (j.id, j.version) not in (
    select l.id, l.version
    from ebb.leased l
    where l.queue = ?)
