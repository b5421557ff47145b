-- Operations that touch at most so many jobs, and those that set a priority.
alter table ebb.operation
  add column max_jobs integer check (max_jobs > 0),
  -- Of a set_priority.
  add column priority smallint check (priority between 0 and 9),
  drop constraint operation_action_check,
  add constraint operation_action_check check (
    action in ('retry', 'cancel', 'redrive', 'discard', 'reschedule', 'hold', 'set_priority'));
