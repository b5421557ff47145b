-- What people look for by a destination: its last attempts, and the groups of its dead letters.

-- The attempts of deliveries that ended, by queue: where each stands in ebb.attempt or ebb.history.
-- An index on these instead would have a part for each day that is kept, and every look at a job
-- would lock them all.
--
-- The partitions are a ring, as those of ebb.idempotency: each takes those of a day, and the one
-- that comes next has none of the last six. Written with the attempt; nothing is changed here.
create table ebb.delivered (
  ended_at timestamptz not null,
  job_id   uuid not null,
  part     smallint not null default floor(extract(epoch from now()) / 86400)::bigint % 8,
  queue    text not null
) partition by list (part);

create index delivered_queue on ebb.delivered (queue, ended_at);

do $$
begin
  for part in 0 .. 7 loop
    execute format(
      'create table ebb.%I partition of ebb.delivered for values in (%s)
       with (autovacuum_vacuum_insert_threshold = -1)',
      'delivered_' || part, part);
  end loop;
end $$;

-- Of a ring of partitions that each take what comes in so many seconds: empties the one that comes
-- next, and returns whether there was anything in it. If the clock was set back, its rows may be
-- young: then they stay. Only a table's owner may: see ebb.drop_partition.
create function ebb.empty_next(
  ring text, parts integer, seconds integer, made_at text, kept interval
) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  next text := format(
    '%s_%s', ring, (floor(extract(epoch from clock_timestamp()) / seconds)::bigint + 1) % parts);
  old  boolean;
begin
  execute format('select exists (select from ebb.%I)', next) into old;
  if old then
    execute format('lock table ebb.%I in access exclusive mode', next);
    execute format(
      'select coalesce((select %I < clock_timestamp() - $1 from ebb.%I limit 1), false)',
      made_at, next) into old using kept;
  end if;
  if old then
    execute format('truncate ebb.%I', next);
  end if;
  return old;
end $$;

revoke execute on function ebb.empty_next(text, integer, integer, text, interval) from public;

create or replace function ebb.forget_keys() returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select ebb.empty_next('idempotency', 8, 14400, 'created_at', interval '24 hours')
$$;

create or replace function ebb.forget_events() returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select ebb.empty_next('event', 3, 3600, 'at', interval '1 hour')
$$;

create function ebb.forget_delivered() returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select ebb.empty_next('delivered', 8, 86400, 'ended_at', interval '6 days')
$$;

revoke execute on function ebb.forget_delivered() from public;

-- Of all groups in this queue, whatever their errors and subjects.
alter table ebb.error_group
  add column queue_id uuid not null
    generated always as (ebb.hashed_id('queue' || chr(10) || queue)) stored;
create index error_group_queue on ebb.error_group (queue_id);
