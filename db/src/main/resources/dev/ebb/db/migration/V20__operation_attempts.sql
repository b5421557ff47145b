-- Whether the attempts of an operation's jobs count from 0 again. Null, as nodes of the previous
-- release write it, is what the action does by itself: a redrive resets them, a retry keeps them.
alter table ebb.operation
  add column reset_attempts boolean
    check (not reset_attempts or action in ('retry', 'redrive'));
