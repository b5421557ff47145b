select pg_advisory_xact_lock(6644322, hashtext(?))
