select pg_notify(?, ?)
