update ebb.lease set expires_at = clock_timestamp() + interval '1 second' where id = any (?)
