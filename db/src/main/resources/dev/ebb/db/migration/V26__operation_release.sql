-- Operations that end holds.
alter table ebb.operation
  drop constraint operation_action_check,
  add constraint operation_action_check check (
    action in (
      'retry', 'cancel', 'redrive', 'discard', 'reschedule', 'hold', 'release', 'set_priority'));
