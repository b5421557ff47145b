-- Shape E1's statements, with the parameters of `prepare`; a driver writes `?` in reading order.
-- Each verb is one transaction of its turn and itself: the turn says which plans are allowed and
-- (claim only) takes the queue's turn; the second statement is planned, and takes its snapshot,
-- after that. With pgjdbc: autocommit OFF and one string "turn;verb;commit", which is one round
-- trip. NEVER in autocommit: pgjdbc sends a Sync before a statement that was described and has
-- text columns (from the sixth execution on, where a parameter such as a Timestamp has no declared
-- type), which ends the implicit transaction there: the queue's turn and the settings are gone
-- before the claim runs, and two claimers can take the same job. Nothing reports it.
--
-- Why the settings: a plan that was cached while the table was empty must still be right when it
-- holds a million rows, and none of them may depend on statistics.
--   no seqscan, no bitmapscan  job is read by an index, in the index's order
--   no nestloop, no mergejoin  arrays of n ids join in n steps, not n * n
--   work_mem                   the leased ids are always looked up in a hash table
--   jit                        a wrong estimate must not start a compiler
-- All are local to the transaction: nothing is left behind in a pooled connection.

set search_path = e1;

prepare claim_turn (text) as
select
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true),
  pg_advisory_xact_lock(4522594, hashtext($1));

-- $1 queue, $2 kinds, $3 jobs at most, $4 payload bytes at most (one job always fits),
-- $5 node, $6 how long the lease holds. No row: nothing is due.
prepare claim (text, text[], int, bigint, text, interval) as
with
  due as materialized (
    select id, version, kind, priority, run_at, attempt, max_attempts, payload, created_at
      from job
     where queue = $1
       and run_at <= now()
       and kind = any ($2)
       -- A lease that is there counts, expired or not: only its rescue lets the jobs go.
       and (id, version) not in (
         select unnest(lease.job_ids), unnest(lease.versions)
           from lease
          where lease.queue = $1)
     order by priority, run_at, id
     limit $3),
  sized as (
    select due.*, sum(octet_length(payload)) over running as bytes, row_number() over running as place
      from due
    window running as (order by priority, run_at, id rows unbounded preceding)),
  fitting as materialized (
    select * from sized where bytes <= $4 or place = 1),
  taken as (
    insert into lease (queue, node, claimed_at, expires_at, job_ids, versions)
    select $1, $5, clock_timestamp(), clock_timestamp() + $6, array_agg(id), array_agg(version)
      from fitting
    having count(*) > 0
    returning id)
select (select id from taken) as lease_id, fitting.*
  from fitting
 order by place;

prepare settle_turn as
select
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true);

-- $1 job ids, $2 their versions as claimed, $3 their lease ids (a lease for each job),
-- $4 leases none of whose jobs is open after this. Returns the ids that were settled: the others' tokens are stale.
prepare complete (uuid[], int[], bigint[], bigint[]) as
with
  held as materialized (
    select id, node, claimed_at
      from lease
     where id = any ($3)
       and expires_at > clock_timestamp()
     order by id
       for update),
  settled as (
    delete from job
     using unnest($1, $2, $3) as given (id, version, lease_id)
      join held on held.id = given.lease_id
     where job.id = any ($1)  -- bounds the scan, whatever the join
       and job.id = given.id
       and job.version = given.version
    returning job.id, job.queue, job.kind, job.attempt + 1 as attempt, held.node, job.created_at,
      held.claimed_at),
  kept as (
    insert into history (id, queue, kind, state, attempt, node, created_at, started_at, ended_at)
    select id, queue, kind, 'completed', attempt, node, created_at, claimed_at, clock_timestamp()
      from settled),
  ended as (
    delete from lease
     where id = any ($4)
       and id in (select id from held))
select id from settled;

-- $1 job ids, $2 versions, $3 lease ids, $4 delays, $5 reasons: spends the attempt, raises the
-- version (so that the lease row no longer covers the job) and records the attempt.
prepare retry (uuid[], int[], bigint[], interval[], text[]) as
with
  held as materialized (
    select id, node, claimed_at
      from lease
     where id = any ($3)
       and expires_at > clock_timestamp()
     order by id
       for update),
  settled as (
    update job
       set run_at = now() + given.delay, attempt = attempt + 1, version = job.version + 1
      from unnest($1, $2, $3, $4, $5) as given (id, version, lease_id, delay, reason)
      join held on held.id = given.lease_id
     where job.id = any ($1)
       and job.id = given.id
       and job.version = given.version
    returning job.id, job.attempt, held.node, held.claimed_at, given.reason),
  kept as (
    insert into attempt (job_id, number, node, started_at, ended_at, outcome, reason)
    select id, attempt, node, claimed_at, clock_timestamp(), 'failed', reason
      from settled)
select id from settled;

-- The claim that starts behind a remembered position $7, $8, $9 (priority, run_at, id).
prepare claim_after (text, text[], int, bigint, text, interval, smallint, timestamptz, uuid) as
with
  due as materialized (
    select id, version, kind, priority, run_at, attempt, max_attempts, payload, created_at
      from job
     where queue = $1
       and run_at <= now()
       and (priority, run_at, id) > ($7, $8, $9)
       and kind = any ($2)
       and (id, version) not in (
         select unnest(lease.job_ids), unnest(lease.versions)
           from lease
          where lease.queue = $1)
     order by priority, run_at, id
     limit $3),
  sized as (
    select due.*, sum(octet_length(payload)) over running as bytes, row_number() over running as place
      from due
    window running as (order by priority, run_at, id rows unbounded preceding)),
  fitting as materialized (
    select * from sized where bytes <= $4 or place = 1),
  taken as (
    insert into lease (queue, node, claimed_at, expires_at, job_ids, versions)
    select $1, $5, clock_timestamp(), clock_timestamp() + $6, array_agg(id), array_agg(version)
      from fitting
    having count(*) > 0
    returning id)
select (select id from taken) as lease_id, fitting.*
  from fitting
 order by place;
