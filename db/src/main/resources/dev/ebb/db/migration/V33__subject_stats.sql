-- How many attempts ended and failed for each subject, minute by minute, for about two hours.
--
-- Each process has one row a minute, and writes it anew every few seconds with all that it has
-- counted by then: so a write that is repeated counts nothing twice, and a row has a bounded number
-- of subjects, whatever names senders invent.
create table ebb.subject_stat (
  -- By the database's clock.
  at       timestamptz not null,
  -- A process, from its start to its end.
  writer   uuid not null,
  -- One is null: all that found no place.
  subjects text[] not null,
  -- Of these in turn.
  attempts integer[] not null,
  failed   integer[] not null,
  primary key (at, writer)
) with (fillfactor = 50);
