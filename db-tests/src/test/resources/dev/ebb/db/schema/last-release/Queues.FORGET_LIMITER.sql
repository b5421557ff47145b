delete from ebb.limiter l
where l.queue = ?
  and not exists (
    select from ebb.queue q where q.name = l.queue and q.rate_limit is not null)
