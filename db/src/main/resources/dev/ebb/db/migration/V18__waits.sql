-- What an attempt waited for after it was due: its queue's limiter, or a slot; and when its outcome
-- was written.

-- A claim takes the limiter before the lease, a settle the lease before the rest; a reader takes
-- the views before what is behind them.
lock table ebb.limiter, ebb.lease, ebb.every_attempt, ebb.every_history in access exclusive mode;

-- The last time without a break in which the limiter had no permit left. A node that does not know
-- of it writes neither end, so what it does then is no part of that time.
alter table ebb.limiter
  add column short_since timestamptz,
  add column short_until timestamptz;

-- As the limiter's was at the claim, until the claim; null for none.
alter table ebb.lease
  add column short_since timestamptz,
  add column short_until timestamptz;

-- As the lease's. The due instant of an attempt that ended its job is the run_at of the history.
-- A row without recorded_at was written by a node that knows nothing of waits.
alter table ebb.history
  add column short_since timestamptz,
  add column short_until timestamptz,
  add column recorded_at timestamptz;
alter table ebb.history_stray
  add column short_since timestamptz,
  add column short_until timestamptz,
  add column recorded_at timestamptz;

alter table ebb.attempt
  add column due_at      timestamptz,
  add column short_since timestamptz,
  add column short_until timestamptz,
  add column recorded_at timestamptz;
alter table ebb.attempt_stray
  add column due_at      timestamptz,
  add column short_since timestamptz,
  add column short_until timestamptz,
  add column recorded_at timestamptz;

create or replace view ebb.every_history as
select * from ebb.history
union all
select * from ebb.history_stray;

create or replace view ebb.every_attempt as
select * from ebb.attempt
union all
select * from ebb.attempt_stray;
