-- Notices that are told one by one, in the whole cluster: each takes a slot for an hour. Slot 0 is
-- that of the notice that tells of the others together. Who finds a slot locked takes another, so
-- nobody waits here.
create table ebb.notice_slot (
  slot     smallint primary key,
  taken_at timestamptz not null default 'epoch'
) with (fillfactor = 50);
insert into ebb.notice_slot (slot) select generate_series(0, 60);

-- What there was no slot for, until it is told of together. Written with what it tells of, and
-- never changed: who writes waits for nobody.
create table ebb.notice_rest (
  id     bigint generated always as identity primary key,
  queue  text not null,
  type   text not null,
  since  timestamptz not null,
  at     timestamptz not null,
  -- How many dead letters; 0 for a notice of something else.
  dead   bigint not null,
  reason text
);

-- Whether they are to be told of together now: an hour after the last time, and a minute after the
-- first one. A time ahead is from before the clock was set back.
create function ebb.notices_are_due() returns boolean
language sql stable as $$
  select exists (
    select
    from ebb.notice_slot s
    where s.slot = 0
      and s.taken_at not between now() - interval '1 hour' and now() + interval '1 minute'
      and (select r.at from ebb.notice_rest r order by r.id limit 1) <= now() - interval '1 minute')
$$;
