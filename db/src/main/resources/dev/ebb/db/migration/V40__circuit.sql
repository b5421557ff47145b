-- The circuits of destinations that have failed, or were asked to wait: nothing of such a queue is
-- claimed before held_until, and no more than one job at a time while its phase is not closed.
create table ebb.circuit (
  queue      text primary key,
  held_until timestamptz,
  state      jsonb not null
) with (fillfactor = 50);

create index circuit_hold_end on ebb.circuit (held_until) where held_until is not null;
-- The destination that is told of others that fail for long; null for none.
alter table ebb.settings add column notices text collate "C";

create index circuit_shown on ebb.circuit (queue)
  where held_until is not null or state ->> 'phase' <> 'CLOSED';
