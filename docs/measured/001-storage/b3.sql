-- Shape B3: a narrow ready row is deleted into one lease row per batch; the job row at the end.

set search_path = b3;

prepare turn as
select
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true);

-- Knows kinds and bytes only once it has read the job rows: not bounded by either here.
prepare claim (text, int, text, interval) as
with
  taken as materialized (
    delete from ready
     where ctid = any (array(
       select ctid
         from ready
        where queue = $1
          and run_at <= now()
        order by priority, run_at, id
        limit $2
          for update skip locked))
    returning id),
  held as (
    insert into lease (queue, node, claimed_at, expires_at, job_ids)
    select $1, $3, clock_timestamp(), clock_timestamp() + $4, array_agg(id)
      from taken
    having count(*) > 0
    returning id)
select (select id from held) as lease_id, id, version, payload, attempt, max_attempts
  from job
 where id = any (array(select id from taken));

prepare complete (uuid[], bigint[], bigint[]) as
with
  held as materialized (
    select id, node, claimed_at
      from lease
     where id = any ($2)
       and expires_at > clock_timestamp()
     order by id
       for update),
  settled as (
    delete from job
     using unnest($1, $2) as given (id, lease_id)
      join held on held.id = given.lease_id
     where job.id = any ($1)
       and job.id = given.id
    returning job.id, job.queue, job.kind, job.attempt + 1 as attempt, held.node, job.created_at,
      held.claimed_at),
  kept as (
    insert into history (id, queue, kind, state, attempt, node, created_at, started_at, ended_at)
    select id, queue, kind, 'completed', attempt, node, created_at, claimed_at, clock_timestamp()
      from settled),
  ended as (
    delete from lease
     where id = any ($3)
       and id in (select id from held))
select id from settled;
