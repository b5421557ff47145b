select set_config('lock_timeout', '300ms', true), pg_try_advisory_xact_lock(6644323, 0)
