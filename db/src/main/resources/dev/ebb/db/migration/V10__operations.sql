-- Actions on many jobs, which nodes carry out batch by batch.

create table ebb.operation (
  id             uuid primary key default uuidv7(),
  created_at     timestamptz not null default now(),
  action         text not null
    check (action in ('retry', 'cancel', 'redrive', 'discard', 'reschedule', 'hold')),
  -- The jobs that it covers: those of a filter, as a query, or these ids.
  filter         text,
  job_ids        uuid[] not null default '{}',
  -- Of a reschedule: when the jobs run. Of a hold: its end.
  at             timestamptz,
  warm_up        boolean not null,
  rate           double precision check (rate > 0),
  stages         integer[] not null,
  stop_ratio     double precision check (stop_ratio between 0 and 1),
  -- How many jobs it was to cover when it began; exact, or an estimate.
  matched        bigint not null,
  matched_exact  boolean not null,
  actor          text not null,
  token_id       text,
  address        text,
  reason         text,

  state          text not null default 'running'
    check (state in ('running', 'paused', 'completed', 'cancelled')),
  -- Why it is paused or cancelled.
  state_reason   text,
  ended_at       timestamptz,
  -- When a node looks at it next.
  due_at         timestamptz not null default now(),
  -- How far the covered jobs were found: the id below which the filter goes on, or how many ids.
  before_id      uuid,
  found_ids      integer not null default 0,
  found_all      boolean not null default false,
  -- The queue of the last batch, and how many jobs the next one takes at most.
  last_queue     text not null default '',
  batch          integer not null default 500,
  warmed_queues  text[] not null default '{}',
  -- When the rate lets the next job through.
  next_job_at    timestamptz not null default now(),
  -- The stage, from 1, and of it: the jobs that were acted on, those whose next attempt has ended,
  -- and those of them that failed.
  stage          integer not null default 1,
  stage_done     integer not null default 0,
  stage_ended    integer not null default 0,
  stage_failed   integer not null default 0,
  -- The last item whose attempt was looked for.
  looked_at      uuid not null default '00000000-0000-0000-0000-000000000000',
  done           bigint not null default 0,
  skipped        bigint not null default 0,
  succeeded      bigint not null default 0,
  failed         bigint not null default 0,
  check ((filter is null) = (cardinality(job_ids) > 0)),
  check ((state in ('completed', 'cancelled')) = (ended_at is not null))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create index operation_due on ebb.operation (due_at) where state = 'running';
create index operation_ended on ebb.operation (ended_at) where ended_at is not null;

-- What became of each covered job. The key lets an operation take no job twice.
create table ebb.operation_item (
  operation uuid not null,
  job_id    uuid not null,
  -- Empty where the job was nowhere to be acted on.
  queue     text not null,
  -- Null as long as it waits for its turn.
  result    text check (result in ('done', 'requested', 'skipped')),
  reason    text,
  stage     integer,
  acted_at  timestamptz,
  -- Whether the operation waits for the end of its next attempt, and how that ended.
  awaited   boolean not null default false,
  outcome   text check (outcome in ('succeeded', 'failed', 'cancelled')),
  primary key (operation, job_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index operation_item_waiting on ebb.operation_item (operation, queue) where result is null;
create index operation_item_awaited on ebb.operation_item (operation, job_id) where awaited;
