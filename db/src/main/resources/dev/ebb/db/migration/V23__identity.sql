-- Which database this is: what it says of itself, and carries along in a dump or a copy of its disk. Nodes
-- compare it with what the server says, and people confirm a change (./ebb confirm).
create table ebb.identity (
  one               boolean primary key default true check (one),
  origin            uuid not null default gen_random_uuid(),
  system_identifier bigint not null,
  timeline          integer not null,
  timeline_since    timestamptz not null default clock_timestamp(),
  confirmed_at      timestamptz not null default clock_timestamp()
);

-- Where the server does not tell its identity, there is no row.
do $$ begin
  insert into ebb.identity (system_identifier, timeline)
  select
    (select system_identifier from pg_control_system()),
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer;
exception when insufficient_privilege then null;
end $$;

-- Jobs that were acknowledged and are not here, because a failover or a restore lost them: what the processes
-- that acknowledged them found.
create table ebb.lost_job (
  id              uuid primary key,
  queue           text not null,
  unique_key      text,
  acknowledged_at timestamptz not null,
  found_at        timestamptz not null default clock_timestamp()
);
create index lost_job_found on ebb.lost_job (found_at);
