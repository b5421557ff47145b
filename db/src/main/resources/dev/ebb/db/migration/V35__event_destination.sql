-- Apart from what alters jobs: a reader of events locks them first, and jobs after them.
alter table ebb.event add column destination text;

-- As before, and the destination.
create or replace function ebb.tell_cancelled() returns trigger language plpgsql as $$
begin
  if exists (select from ebb.listening where listened_until > now()) then
    insert into ebb.event (
      what, id, at, outcome, attempt, queue, kind, created_at, unique_key, labels,
      destination)
    values (
      'ended', new.id, new.ended_at, 'cancelled', new.attempt, new.queue, new.kind, new.created_at,
      new.unique_key, new.labels, new.destination);
  end if;
  return null;
end $$;
