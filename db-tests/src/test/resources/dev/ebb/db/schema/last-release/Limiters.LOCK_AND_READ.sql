select
  set_config('lock_timeout', ?, true),
  set_config('statement_timeout', ?, true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('jit', 'off', true),
  set_config('transaction_isolation', 'read committed', true),
  pg_advisory_xact_lock(6644322, hashtext(?))
;select
  q.policy::text, q.rate_limit::text, q.max_concurrency,
  l.coldness, l.next_free_at, l.cut_ceiling, l.cut_factor, l.cut_at,
  l.cut_quiet_since,
  clock_timestamp() as now,
  case when ? and q.max_concurrency is not null then (
    select count(*)
    from ebb.leased x
    join ebb.job j on j.id = x.id and j.version = x.version
    where x.queue = q.name)
  end as in_flight
from ebb.queue q
left join ebb.limiter l on l.queue = q.name
where q.name = ?
