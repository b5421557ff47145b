select set_config('lock_timeout', ?, true)
