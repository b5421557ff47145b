-- Events: what ended, what failed and what people changed, for those who listen. They are written
-- only while somebody does, or did within the last hour, so that a client that lost its connection
-- can go on from there. Nothing of them is logged: a crash empties these tables, and readers are
-- told to begin anew.

-- Until when events are written; without a row they are not. Its birth tells a reader whether the
-- events that follow its position are all there: a crash of any backend empties these tables.
create unlogged table ebb.listening (
  one            boolean primary key default true check (one),
  listened_until timestamptz not null,
  born           timestamptz not null default clock_timestamp()
);

-- The partitions are a ring, as those of ebb.idempotency: each takes the events of an hour, and the
-- one that comes next has none of the last hour.
create table ebb.event (
  -- The transaction that wrote it: a reader keeps the snapshot of its last read, and asks for the
  -- events of transactions that were not in it. So a late commit is neither missed nor told twice.
  xact       xid8 not null default pg_current_xact_id(),
  part       smallint not null default floor(extract(epoch from now()) / 3600)::bigint % 3,
  what       text not null check (what in ('ended', 'attempt', 'change')),
  -- Of the job.
  id         uuid,
  at         timestamptz not null,
  outcome    text,
  attempt    integer,
  queue      text,
  kind       text,
  created_at timestamptz,
  unique_key text,
  labels     jsonb,
  reason     text,
  error      text,
  -- Of a change.
  action     text,
  subject    text,
  affected   bigint
) partition by list (part);

create index event_xact on ebb.event (xact);

do $$
begin
  for part in 0 .. 2 loop
    execute format(
      'create unlogged table ebb.%I partition of ebb.event for values in (%s)
       with (autovacuum_vacuum_insert_threshold = -1)',
      'event_' || part, part);
  end loop;
end $$;

-- What completes and what fails is told by the statements that settle it: a trigger that sees all
-- rows of a statement would have each of them copied, listened or not. What people cancel is told by
-- a trigger, which looks at no other rows.
create function ebb.tell_cancelled() returns trigger language plpgsql as $$
begin
  if exists (select from ebb.listening where listened_until > now()) then
    insert into ebb.event (
      what, id, at, outcome, attempt, queue, kind, created_at, unique_key, labels)
    values (
      'ended', new.id, new.ended_at, 'cancelled', new.attempt, new.queue, new.kind, new.created_at,
      new.unique_key, new.labels);
  end if;
  return null;
end $$;

-- Tokens are no business of those who read jobs; nor is who did it, why and from where.
create function ebb.tell_changes() returns trigger language plpgsql as $$
begin
  if exists (select from ebb.listening where listened_until > now()) then
    insert into ebb.event (what, at, action, subject, affected)
    select 'change', uuid_extract_timestamp(id), action, subject, affected
    from written
    where split_part(action, '.', 1) in ('queue', 'policy', 'job', 'node', 'operation');
  end if;
  return null;
end $$;

create trigger history_told after insert on ebb.history
for each row when (new.cancelled) execute function ebb.tell_cancelled();

create trigger audit_told after insert on ebb.audit
referencing new table as written for each statement execute function ebb.tell_changes();

-- Empties the partition that comes next, and returns whether there was anything in it. If the clock
-- was set back, its events may be young: then they stay. See ebb.forget_keys.
create function ebb.forget_events() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  next text;
  old  boolean;
begin
  next := 'event_' || (floor(extract(epoch from clock_timestamp()) / 3600)::bigint + 1) % 3;
  execute format('select exists (select from ebb.%I)', next) into old;
  if old then
    execute format('lock table ebb.%I in access exclusive mode', next);
    execute format(
      'select coalesce(
         (select at < clock_timestamp() - interval ''1 hour'' from ebb.%I limit 1), false)', next)
    into old;
  end if;
  if old then
    execute format('truncate ebb.%I', next);
  end if;
  return old;
end $$;

revoke execute on function ebb.forget_events() from public;
