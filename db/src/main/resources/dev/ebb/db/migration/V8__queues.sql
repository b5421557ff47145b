-- Pauses that end by themselves.
alter table ebb.queue
  -- Of a queue that is paused: since when, by whom, why, and until when. A pause whose end has passed
  -- is none, although nobody has written that yet.
  add column paused_since timestamptz,
  add column paused_by    text,
  add column pause_reason text,
  add column paused_until timestamptz;

-- To know of a queue whether it has some.
create index dead_letter_queue on ebb.dead_letter (queue, id);
