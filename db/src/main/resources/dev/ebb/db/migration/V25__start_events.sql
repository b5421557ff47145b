-- Those who listen are told that the start was paused or resumed: open pages show a banner meanwhile.
create or replace function ebb.tell_changes() returns trigger language plpgsql as $$
begin
  if exists (select from ebb.listening where listened_until > now()) then
    insert into ebb.event (what, at, action, subject, affected)
    select 'change', uuid_extract_timestamp(id), action, subject, affected
    from written
    where split_part(action, '.', 1) in (
      'queue', 'policy', 'job', 'node', 'operation', 'schedule', 'start');
  end if;
  return null;
end $$;
