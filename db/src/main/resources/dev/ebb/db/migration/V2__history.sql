-- Completed and cancelled jobs, a row for each, which includes the attempt that ended it.
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

-- The other attempts: those that failed, and those that a drain gave back. Snoozes leave no row.
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

-- Rows of a day that nobody made in time land in these, so that no settle fails because its day's
-- partition is missing.
create table ebb.history_rest partition of ebb.history default;
create table ebb.attempt_rest partition of ebb.attempt default;

-- From there they are moved here: as long as the default partition holds rows of a day, that day
-- cannot be made, and to make any other searches all its rows.
create table ebb.history_stray (like ebb.history including all);
create table ebb.attempt_stray (like ebb.attempt including all);

create view ebb.every_history as
select * from ebb.history
union all
select * from ebb.history_stray;

create view ebb.every_attempt as
select * from ebb.attempt
union all
select * from ebb.attempt_stray;

-- Makes the missing partitions of today and the days ahead, except those of which the default
-- partition holds rows already. Only a table's owner can make and drop partitions: these two
-- functions run as their owner, and the role of a node needs no more than execute on them.
create function ebb.make_partitions(days_ahead integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

-- Drops the oldest partition whose rows are all older than that, and returns whether there was one.
-- One at a time: every settle waits for a drop until the transaction ends.
create function ebb.drop_partition(days_kept integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

revoke execute on function ebb.make_partitions(integer), ebb.drop_partition(integer) from public;

select ebb.make_partitions(7);
