-- What the destination for notices will be told of dead letters: a row for each destination that
-- had some lately. Who groups dead letters writes it, one node at a time and behind the settles.
create table ebb.dead_letter_notice (
  queue    text primary key,
  -- No notice comes sooner.
  next_at  timestamptz not null,
  -- How many of them nobody was told of yet, and of the first of these: when it died, and which.
  dead     bigint not null,
  died_at  timestamptz,
  job_id   uuid,
  group_id uuid,
  check ((dead = 0) = (job_id is null))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500
);
create index dead_letter_notice_next on ebb.dead_letter_notice (next_at);
