-- The tables of every shape, each in a schema of its own: a1, b3, e1. Payloads have 200 bytes.
drop schema if exists a1 cascade;
drop schema if exists b3 cascade;
drop schema if exists e1 cascade;
create schema a1;
create schema b3;
create schema e1;

create table a1.job (
  id uuid primary key default uuidv7(),
  queue text not null, kind text not null, priority smallint not null, run_at timestamptz not null,
  attempt int not null default 0, max_attempts int not null, version int not null default 0,
  payload text not null, created_at timestamptz not null default now(),
  state text not null default 'available', node text, expires_at timestamptz);
create index on a1.job (queue, priority, run_at, id) where state = 'available';

create table b3.job (
  id uuid primary key default uuidv7(),
  queue text not null, kind text not null, priority smallint not null, run_at timestamptz not null,
  attempt int not null default 0, max_attempts int not null, version int not null default 0,
  payload text not null, created_at timestamptz not null default now());
create table b3.ready (
  queue text not null, priority smallint not null, run_at timestamptz not null, id uuid not null,
  primary key (queue, priority, run_at, id));
create table b3.lease (
  id bigint generated always as identity primary key,
  queue text not null, node text not null, claimed_at timestamptz not null,
  expires_at timestamptz not null, job_ids uuid[] not null);

create table e1.job (
  id uuid primary key default uuidv7(),
  queue text not null, kind text not null, priority smallint not null, run_at timestamptz not null,
  attempt int not null default 0, max_attempts int not null, version int not null default 0,
  payload text not null, created_at timestamptz not null default now());
create index job_claim on e1.job (queue, priority, run_at, id);
create table e1.lease (
  id bigint generated always as identity primary key,
  queue text not null, node text not null, claimed_at timestamptz not null,
  expires_at timestamptz not null, job_ids uuid[] not null, versions int[] not null,
  check (cardinality(job_ids) = cardinality(versions)));
create index on e1.lease (queue);
create table e1.attempt (
  job_id uuid not null, number int not null, node text not null, started_at timestamptz not null,
  ended_at timestamptz not null, outcome text not null, reason text not null);
create index on e1.attempt (job_id);

do $$
declare
  shape text;
begin
  foreach shape in array array['a1', 'b3', 'e1'] loop
    execute format(
        'create table %1$I.history (
           id uuid not null, queue text not null, kind text not null, state text not null,
           attempt int not null, node text not null, created_at timestamptz not null,
           started_at timestamptz not null, ended_at timestamptz not null)
         partition by range (ended_at)', shape);
    execute format('create index on %1$I.history (id)', shape);
    for day in -1 .. 1 loop
      execute format('create table %1$I.%2$I partition of %1$I.history for values from (%3$L) to (%4$L)',
          shape, 'history_' || to_char(current_date + day, 'YYYYMMDD'),
          current_date + day, current_date + day + 1);
    end loop;
  end loop;
end $$;
