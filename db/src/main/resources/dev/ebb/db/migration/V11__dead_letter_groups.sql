-- Dead letters whose failures are alike, by queue and kind.

-- Found and written after the settle, by one node at a time: so a settle neither waits for another
-- nor writes a row that others write, and the dead letters of the release before get theirs too.
alter table ebb.dead_letter add column error_group uuid;

create index dead_letter_ungrouped on ebb.dead_letter (id) where error_group is null;
create index dead_letter_group on ebb.dead_letter (error_group, died_at, id)
where error_group is not null;

-- It outlives its dead letters for a month, with what people said of it.
create table ebb.error_group (
  -- A hash of queue, kind, reason and pattern.
  id              uuid primary key,
  queue           text not null,
  kind            text not null,
  reason          text not null,
  pattern         text not null,
  first_seen      timestamptz not null,
  last_seen       timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note            text,
  check ((acknowledged_at is null) = (acknowledged_by is null))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500
);
create index error_group_last_seen on ebb.error_group (last_seen, id);
