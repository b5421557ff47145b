-- A job is found by its ordering key as it is by its unique key: see V29. A key never changes, so
-- that what changes a job's labels leaves its term alone.
create or replace function ebb.note_terms() returns trigger language plpgsql as $$
begin
  insert into ebb.term (term, id) select t.term, new.id
  from ebb.terms(new.unique_key, new.labels) t (term);
  if new.ordering_key is not null then
    insert into ebb.term (term, id) values (ebb.term('ordering', new.ordering_key), new.id);
  end if;
  return null;
end $$;

create or replace trigger job_found after insert on ebb.job
for each row when (
  new.redriven_at is null and num_nonnulls(new.unique_key, new.labels, new.ordering_key) > 0)
execute function ebb.note_terms();

-- Operations that skip jobs in their ordering keys.
alter table ebb.operation
  drop constraint operation_action_check,
  add constraint operation_action_check check (
    action in (
      'retry', 'cancel', 'redrive', 'discard', 'reschedule', 'hold', 'release', 'skip',
      'set_priority'));
