alter table ebb.queue
  add column rate_limit jsonb,
  add column max_concurrency integer check (max_concurrency between 1 and 100000),
  add column limited boolean not null
    generated always as (rate_limit is not null or max_concurrency is not null) stored;

-- Where the limiters of queues with a rate limit stand: a row comes with the first permit, and
-- without one the queue is cold. Written in the transaction of the claim that used the permits, in
-- the queue's turn.
create table ebb.limiter (
  queue        text primary key,
  coldness     double precision not null check (coldness between 0 and 1),
  next_free_at timestamptz not null,
  cut_ceiling  double precision,
  cut_factor   double precision,
  cut_at       timestamptz,
  check (num_nulls(cut_ceiling, cut_factor, cut_at) in (0, 3))
) with (
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
