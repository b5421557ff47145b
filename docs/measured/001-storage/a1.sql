-- Shape A1: UPDATE to running, then DELETE. Parameters as in e1.sql; the token is the version.

set search_path = a1;

prepare turn as
select
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true);

prepare claim (text, text[], int, text, interval) as
update job
   set state = 'running', node = $4, expires_at = clock_timestamp() + $5,
     attempt = attempt + 1, version = version + 1
 where id = any (array(
   select id
     from job
    where queue = $1
      and state = 'available'
      and run_at <= now()
      and kind = any ($2)
    order by priority, run_at, id
    limit $3
      for update skip locked))
returning 0::bigint as lease_id, id, version, payload, attempt, max_attempts;

prepare complete (uuid[], int[]) as
with
  settled as (
    delete from job
     using unnest($1, $2) as given (id, version)
     where job.id = any ($1)
       and job.id = given.id
       and job.version = given.version
       and state = 'running'
    returning job.*),
  kept as (
    insert into history (id, queue, kind, state, attempt, node, created_at, started_at, ended_at)
    select id, queue, kind, 'completed', attempt, node, created_at, clock_timestamp(), clock_timestamp()
      from settled)
select id from settled;
