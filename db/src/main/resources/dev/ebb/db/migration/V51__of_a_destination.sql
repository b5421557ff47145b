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

-- Empties the partition that comes next, and returns whether there was anything in it. If the clock
-- was set back, its rows may be young: then they stay. Only a table's owner may: see
-- ebb.drop_partition.
create function ebb.forget_delivered() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  next text;
  old  boolean;
begin
  next := 'delivered_' || (floor(extract(epoch from clock_timestamp()) / 86400)::bigint + 1) % 8;
  execute format('select exists (select from ebb.%I)', next) into old;
  if old then
    execute format('lock table ebb.%I in access exclusive mode', next);
    execute format(
      'select coalesce(
         (select ended_at < clock_timestamp() - interval ''6 days'' from ebb.%I limit 1), false)',
      next) into old;
  end if;
  if old then
    execute format('truncate ebb.%I', next);
  end if;
  return old;
end $$;

revoke execute on function ebb.forget_delivered() from public;

-- Of all groups in this queue, whatever their errors and subjects.
alter table ebb.error_group
  add column queue_id uuid not null
    generated always as (ebb.hashed_id('queue' || chr(10) || queue)) stored;
create index error_group_queue on ebb.error_group (queue_id);
