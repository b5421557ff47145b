-- What becomes due after it was stored: retries, delays, redrives. A job that is due when it is
-- stored is told of by a notification, and costs this index nothing.
create index job_due on ebb.job (run_at) where run_at > created_at;

create index queue_pause_end on ebb.queue (paused_until) where paused_until is not null;
