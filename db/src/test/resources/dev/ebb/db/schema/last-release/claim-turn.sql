select
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('jit', 'off', true),
  set_config('synchronous_commit', 'off', true),
  set_config('transaction_isolation', 'read committed', true),
  pg_advisory_xact_lock(6644322, hashtext(?)),
  q.policy::text, q.limited
from (values (?)) as asked (name)
left join ebb.queue q on q.name = asked.name;
