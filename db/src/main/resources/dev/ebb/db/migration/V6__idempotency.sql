-- The keys under which submits may be repeated for 24 hours, with their answers. A key is the hash
-- of the client's; nothing of the request is here but its fingerprint, and what the database
-- decided of each job. For a job that was not stored, as a duplicate, that is null.
--
-- The partitions are a ring: each takes the keys of four hours, and the one that comes next has
-- none of the last 24. It is emptied whole, so that no key is ever deleted alone. No constraint
-- keeps a key from being there twice, because no index spans partitions: the lock that a submit
-- has on the key does.
create table ebb.idempotency (
  key          uuid not null,
  fingerprint  uuid not null,
  created_at   timestamptz not null default now(),
  part         smallint not null
    default floor(extract(epoch from now()) / 14400)::bigint % 8,
  job_ids      uuid[] not null,
  run_at       timestamptz[] not null,
  max_attempts integer[] not null
) partition by list (part);

create index idempotency_key on ebb.idempotency (key);

do $$
begin
  for part in 0 .. 7 loop
    -- Rows are neither changed nor deleted, so that a vacuum after inserts would gain nothing.
    execute format(
      'create table ebb.%I partition of ebb.idempotency for values in (%s)
       with (autovacuum_vacuum_insert_threshold = -1)',
      'idempotency_' || part, part);
  end loop;
end $$;

-- Empties the partition that comes next, and returns whether there was anything in it. If the clock
-- was set back, its keys may be young: then they stay. Only a table's owner may: see
-- ebb.drop_partition.
create function ebb.forget_keys() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  next text;
  old  boolean;
begin
  next := 'idempotency_' || (floor(extract(epoch from clock_timestamp()) / 14400)::bigint + 1) % 8;
  execute format('select exists (select from ebb.%I)', next) into old;
  if old then
    execute format('lock table ebb.%I in access exclusive mode', next);
    execute format(
      'select coalesce(
         (select created_at < clock_timestamp() - interval ''24 hours'' from ebb.%I limit 1), false)',
      next) into old;
  end if;
  if old then
    execute format('truncate ebb.%I', next);
  end if;
  return old;
end $$;

revoke execute on function ebb.forget_keys() from public;
