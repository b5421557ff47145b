-- Policies by name, pauses that end by themselves, queues of limited depth.

-- To know of a queue whether it has dead letters, and to purge them. It is made first: claims wait
-- for whatever follows the change of ebb.queue.
create index dead_letter_queue on ebb.dead_letter (queue, id);

create table ebb.policy (
  name       text collate "C" primary key check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  policy     jsonb not null,
  created_at timestamptz not null default now()
);

alter table ebb.queue
  -- Of a queue that is paused: since when, by whom, why, and until when. A pause whose end has passed
  -- is none, although nobody has written that yet.
  add column paused_since timestamptz,
  add column paused_by    text,
  add column pause_reason text,
  add column paused_until timestamptz,
  -- The policy that it follows: the column policy holds a copy, which a claim reads.
  add column policy_name  text collate "C" references ebb.policy,
  add column max_depth    integer check (max_depth between 1 and 10000000);

create index queue_policy_name on ebb.queue (policy_name) where policy_name is not null;
create index queue_max_depth on ebb.queue (name) where max_depth is not null;
