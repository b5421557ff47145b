-- The schema "ebb" itself is made by Flyway, which keeps its own table in it.

create table ebb.queue (
  name       text primary key check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  paused     boolean not null default false,
  policy     jsonb,
  created_at timestamptz not null default now()
);

-- A check of a table is read anew for every statement: as domains, these cost a submit a tenth less.
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
  -- Raised by every write of this row, so that a lease that named an older version lets go of it.
  version           integer not null default 0,
  -- Attempts that were settled; a running one is counted by its lease.
  attempt           integer not null default 0,
  max_attempts      ebb.max_attempts not null,
  polls             integer not null default 0,
  timeout_millis    ebb.timeout_millis,
  priority          ebb.priority not null,
  -- Whether its last attempt lost its worker.
  lost              boolean not null default false,
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

-- The order of the claim, whole: a claim is one scan from its head, without a sort.
create index job_claim on ebb.job (queue, priority, run_at, id);
create unique index job_unique_key on ebb.job (kind, unique_key) where unique_key is not null;
create index job_cancel_requested on ebb.job (id) where cancel_requested;
-- Few: a claim looks here for the one suspect that it may take.
create index job_lost on ebb.job (queue, priority, run_at, id) where lost;
-- The last of them: on an empty table the planner holds every index for equally dear and takes the
-- youngest, and a plan that skips through the claim index for an id would be cached.
alter table ebb.job add primary key (id);

create sequence ebb.lease_number;

-- One row per claimed batch. Its id is the fencing token of every job that it names: the time of the
-- claim, and a number that sets apart those of one microsecond. Claims do not wait for the disk. A
-- server that crashed may have forgotten the last of them, and its sequence may count from there
-- again; the time has gone on.
create table ebb.lease (
  id             bigint primary key default
    (extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000
      + nextval('ebb.lease_number') % 1000,
  queue          text not null,
  node           text not null,
  claimed_at     timestamptz not null,
  expires_at     timestamptz not null,
  job_ids        uuid[] not null,
  versions       integer[] not null,
  -- No job that it names lies behind this in the claim index.
  first_priority smallint not null,
  last_priority  smallint not null,
  last_run_at    timestamptz not null,
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

-- Ids do not compress: trying costs a claim more than storing them.
alter table ebb.lease alter column job_ids set storage external;

create table ebb.dead_letter (
  id             uuid primary key,
  died_at        timestamptz not null default now(),
  reason         text not null,
  failure_reason text not null,
  failure        text not null,
  started_at     timestamptz not null,
  node           text not null,
  run_at         timestamptz not null,
  created_at     timestamptz not null,
  redriven_at    timestamptz,
  -- Goes on where it stood: a redriven job must not match a lease that named it in its earlier life.
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

-- Jobs that ended, one row each; the columns of the attempt that ended it stand with it.
create table ebb.history (
  ended_at     timestamptz not null default now(),
  id           uuid not null,
  run_at       timestamptz not null,
  created_at   timestamptz not null,
  started_at   timestamptz,
  attempt      integer not null,
  max_attempts integer not null,
  priority     smallint not null,
  cancelled    boolean not null,
  queue        text not null,
  kind         text not null,
  node         text,
  unique_key   text,
  labels       jsonb,
  detail       text
) partition by range (ended_at);
create index history_id on ebb.history (id);

-- Attempts that did not end their job well: with the rows above, every attempt there was.
create table ebb.attempt (
  ended_at       timestamptz not null default now(),
  job_id         uuid not null,
  started_at     timestamptz not null,
  number         integer not null,
  outcome        text not null check (outcome in ('failed', 'throttled', 'fatal', 'released')),
  failure_reason text,
  failure        text,
  node           text not null,
  detail         text
) partition by range (ended_at);
create index attempt_job on ebb.attempt (job_id);

-- Catch what no day's partition takes, so that a settle never fails for want of one.
create table ebb.history_rest partition of ebb.history default;
create table ebb.attempt_rest partition of ebb.attempt default;

-- Makes the partitions of today and of the days ahead, where they are missing. A day of which rows
-- lie in the default partition already, because nobody made its own in time, is left there.
create function ebb.make_partitions(days_ahead integer) returns void language plpgsql as $$
declare
  parent text;
  day    date;
  part   text;
begin
  foreach parent in array array['history', 'attempt'] loop
    for ahead in 0 .. days_ahead loop
      day := (now() at time zone 'UTC')::date + ahead;
      part := parent || '_' || to_char(day, 'YYYYMMDD');
      if to_regclass('ebb.' || part) is null then
        begin
          execute format(
            'create table ebb.%I (like ebb.%I including defaults including constraints)',
            part, parent);
          execute format(
            'alter table ebb.%I attach partition ebb.%I for values from (%L) to (%L)',
            parent, part, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
        exception when check_violation then
          null;
        end;
      end if;
    end loop;
  end loop;
end $$;

-- Drops one partition of which every row is older than that, and answers whether there was one. One
-- at a time, because a drop keeps every settle waiting until its transaction ends.
create function ebb.drop_partition(days_kept integer) returns boolean language plpgsql as $$
declare
  part text;
begin
  select c.relname into part
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('ebb.history'::regclass, 'ebb.attempt'::regclass)
    and c.relname ~ '_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days_kept
  order by right(c.relname, 8)
  limit 1;
  if part is null then
    return false;
  end if;
  execute format('drop table ebb.%I', part);
  return true;
end $$;

select ebb.make_partitions(7);

-- What the leases name, a row for each job.
create view ebb.leased as
select
  l.queue, named.id, named.version, l.node, l.claimed_at,
  l.progress -> named.id::text as progress
from ebb.lease l
cross join unnest(l.job_ids, l.versions) as named (id, version);

-- The live jobs that have spent no attempt, for people. A sender asks for a new job soon: to look
-- for it everywhere costs ten times what its submit does.
create view ebb.new_job as
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end as state,
  j.attempt + (l.node is not null)::integer as attempt,
  j.max_attempts, j.run_at, j.created_at,
  l.claimed_at as started_at,
  null::timestamptz as ended_at,
  l.node,
  null::text as failure_reason, null::text as failure, null::text as dead_reason,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
where j.attempt = 0;

-- Every job wherever it is, for people: live, dead, or ended. Not for the claim path.
create view ebb.every_job as
select * from ebb.new_job
union all
select
  j.id, j.queue, j.kind, j.priority,
  case when l.node is null then 'available' else 'running' end,
  j.attempt + (l.node is not null)::integer,
  j.max_attempts, j.run_at, j.created_at,
  coalesce(l.claimed_at, a.started_at), null, coalesce(l.node, a.node),
  a.failure_reason, a.failure, null,
  j.cancel_requested, j.payload, j.policy, j.unique_key, j.timeout_millis, j.labels,
  l.progress
from ebb.job j
left join lateral (
  select * from ebb.leased l where (l.queue, l.id, l.version) = (j.queue, j.id, j.version) limit 1
) l on true
left join lateral (
  select a.started_at, a.node, a.failure_reason, a.failure
  from ebb.attempt a
  where a.job_id = j.id and a.failure_reason is not null
  order by a.ended_at desc
  limit 1
) a on true
where j.attempt > 0
union all
select
  d.id, d.queue, d.kind, d.priority, 'dead_letter', d.attempt, d.max_attempts, d.run_at,
  d.created_at, d.started_at, d.died_at, d.node, d.failure_reason, d.failure, d.reason, false,
  d.payload, d.policy, d.unique_key, d.timeout_millis, d.labels, null
from ebb.dead_letter d
union all
select
  h.id, h.queue, h.kind, h.priority,
  case when h.cancelled then 'cancelled' else 'completed' end,
  h.attempt, h.max_attempts, h.run_at, h.created_at, h.started_at, h.ended_at, h.node,
  null, null, null, false, null, null, h.unique_key, null, h.labels, null
from ebb.history h;
