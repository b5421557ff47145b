-- Everything that Ebb stores. Flyway makes the schema "ebb" itself, and keeps its own table in it.
--
--   V1   queue, limiter     settings by queue, and the state of its rate limit
--        job, lease         live jobs, and the batches of them that are claimed
--        dead_letter        jobs that were given up, whole, so that they can be redriven
--   V2   history, attempt   what ended, partitioned by day
--   V3   every_job          a job wherever it is, as people see it
--
-- A job has no column for its state: the state is the table that holds its row, and for a row of
-- ebb.job whether a lease names it.

-- A row is optional: a queue without one has the default settings.
create table ebb.queue (
  name            text primary key check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  paused          boolean not null default false,
  policy          jsonb,
  created_at      timestamptz not null default now(),
  rate_limit      jsonb,
  max_concurrency integer check (max_concurrency between 1 and 100000),
  limited         boolean not null
    generated always as (rate_limit is not null or max_concurrency is not null) stored
);

-- The limiter of a queue with a rate limit. Its row comes with the first permit; without one the
-- limiter is cold. It is written by the claim that uses the permits: in its transaction, under the
-- queue lock.
create table ebb.limiter (
  queue           text primary key,
  coldness        double precision not null check (coldness between 0 and 1),
  next_free_at    timestamptz not null,
  -- The rate cut: the share of the rate at which the receiver throttled, the factor, and when.
  cut_ceiling     double precision,
  cut_factor      double precision,
  cut_at          timestamptz,
  -- When the receiver throttled last: attempts from before the cut postpone its recovery.
  cut_quiet_since timestamptz,
  check (num_nulls(cut_ceiling, cut_factor, cut_at, cut_quiet_since) in (0, 4))
) with (
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

-- PostgreSQL parses a table's checks anew for every statement. As domains, these make a submit a
-- tenth cheaper.
create domain ebb.priority as smallint check (value between 0 and 9);
create domain ebb.max_attempts as integer check (value between 1 and 1000);
create domain ebb.timeout_millis as integer check (value between 1 and 86400000);

-- Live jobs only. A claim does not touch a job's row: a lease names it (see ebb.lease).
create table ebb.job (
  id                uuid not null default uuidv7(),
  run_at            timestamptz not null,
  created_at        timestamptz not null default now(),
  redriven_at       timestamptz,
  last_delay_micros bigint not null default 0,
  -- Every update increments it, so that a lease that named an older version no longer owns the job.
  -- The exception is a cancel request: the lease must keep the job.
  version           integer not null default 0,
  -- Attempts that were settled; a running one is counted by its lease.
  attempt           integer not null default 0,
  max_attempts      ebb.max_attempts not null,
  -- How often a handler said "not ready"; costs no attempt.
  snoozes           integer not null default 0,
  timeout_millis    ebb.timeout_millis,
  priority          ebb.priority not null,
  cancel_requested  boolean not null default false,
  queue             text not null,
  kind              text not null,
  payload           text not null,
  unique_key        text,
  policy            jsonb,
  labels            jsonb,
  check (attempt between 0 and max_attempts)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

-- The whole order of the claim: a claim is one scan from its head, without a sort.
create index job_claim on ebb.job (queue, priority, run_at, id);
create unique index job_unique_key on ebb.job (kind, unique_key) where unique_key is not null;
create index job_cancel_requested on ebb.job (id) where cancel_requested;
-- Last, because on an empty table the planner gives every index the same cost and takes the newest.
-- With another one last, it would cache a plan that finds an id by skipping through that index.
alter table ebb.job add primary key (id);

create sequence ebb.lease_number;

-- One row for each claimed batch. Its id is the fencing token of every job that it names: the time
-- of the claim, and a number that tells apart the claims of one microsecond. Claims do not wait for
-- the disk. A server that crashed may have forgotten the last of them, and its sequence may give
-- their numbers again; but the time has gone on.
create table ebb.lease (
  id             bigint primary key default
    (extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000
      + nextval('ebb.lease_number') % 1000,
  queue          text not null,
  node           text not null,
  claimed_at     timestamptz not null,
  expires_at     timestamptz not null,
  -- How long a lease is. One that has longer to go was written before the clock was set back.
  length_micros  bigint not null check (length_micros > 0),
  job_ids        uuid[] not null,
  versions       integer[] not null,
  -- Every job that it names has a priority between these two, and became due no later than this.
  first_priority smallint not null,
  last_priority  smallint not null,
  last_run_at    timestamptz not null,
  -- JSON that handlers reported, by job id.
  progress       jsonb,
  check (cardinality(job_ids) = cardinality(versions))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index lease_queue on ebb.lease (queue);

-- Ids do not compress: to try costs a claim more than to store them.
alter table ebb.lease alter column job_ids set storage external;

-- The jobs that leases name, a row for each.
create view ebb.leased as
select
  l.queue, named.id, named.version, l.node, l.claimed_at,
  l.progress -> named.id::text as progress
from ebb.lease l
cross join unnest(l.job_ids, l.versions) as named (id, version);

create table ebb.dead_letter (
  id             uuid primary key,
  died_at        timestamptz not null default now(),
  -- Why it was given up, and the failure of its last attempt.
  reason         text not null,
  failure_reason text not null,
  failure        text not null,
  started_at     timestamptz not null,
  node           text not null,
  run_at         timestamptz not null,
  created_at     timestamptz not null,
  redriven_at    timestamptz,
  -- A redriven job continues from here, so that no lease of its earlier life matches it.
  version        integer not null,
  attempt        integer not null,
  max_attempts   integer not null,
  timeout_millis integer,
  priority       smallint not null,
  queue          text not null,
  kind           text not null,
  payload        text not null,
  unique_key     text,
  policy         jsonb,
  labels         jsonb
);
