select
  set_config('lock_timeout', ?, true),
  set_config('statement_timeout', ?, true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('jit', 'off', true),
  set_config('transaction_isolation', 'read committed', true),
  pg_advisory_xact_lock(6644322, hashtext(?))
