-- The turn of an ordering key. Claims park a due job that is behind another of its key: it is out
-- of their way until the one before it is gone, or has kept it for long enough.
--
--     number   7       9        12       15
--              runs    parked   parked   parked
--              ends ─▶ is due
--
-- Whatever takes a job away wakes the one behind it, in the same transaction. A job that was woken
-- too early is parked again by the claim that meets it; one that nobody woke would wait for ever.

-- Makes a parked job due. It has not been late, and its deadline stood still. It keeps its version:
-- no lease names it but that of a claim that found it due at this moment.
create function ebb.wake(parked uuid) returns void language sql as $$
  update ebb.job j
  set run_at = t.run_at,
    held_version = null,
    blocked_version = null,
    redriven_at = case
      when j.redriven_at is not null or j.attempt > 0 or j.snoozes > 0
        then coalesce(j.redriven_at, j.created_at) + (t.run_at - j.held_run_at)
    end
  from (
    select greatest(p.held_run_at, clock_timestamp()) as run_at from ebb.job p where p.id = parked
  ) t
  where j.id = parked
    and ebb.is_held(j.blocked_version, j.version, j.held_until)
$$;

-- Who has locked the next one may be about to take it away, and may have looked behind it before
-- this job was gone. So the first one that nobody has locked is woken in its place: the claim that
-- meets that one sees who is the next. Only where there is none the lock is waited for.
create function ebb.pass_turn() returns trigger language plpgsql as $$
declare
  next_id     uuid;
  next_number bigint;
  is_parked   boolean;
  woken       uuid;
begin
  select j.id, j.ordering_number, ebb.is_held(j.blocked_version, j.version, j.held_until)
  into next_id, next_number, is_parked
  from ebb.job j
  where j.queue = old.queue
    and j.ordering_key = old.ordering_key
    and j.ordering_number > old.ordering_number
    and (ebb.is_held(j.blocked_version, j.version, j.held_until)
      or j.blocks_until is null or j.blocks_until > clock_timestamp())
  order by j.ordering_number
  limit 1;
  if next_id is null then
    return null;
  end if;
  if not is_parked then
    perform from ebb.job j where j.id = next_id for key share skip locked;
  end if;
  if is_parked or not found then
    select j.id into woken
    from ebb.job j
    where j.queue = old.queue
      and j.ordering_key = old.ordering_key
      and j.ordering_number >= next_number
      and ebb.is_held(j.blocked_version, j.version, j.held_until)
    order by j.ordering_number
    limit 1
    for update skip locked;
    if woken is null then
      select j.id into woken
      from ebb.job j
      where j.queue = old.queue
        and j.ordering_key = old.ordering_key
        and j.ordering_number >= next_number
        and ebb.is_held(j.blocked_version, j.version, j.held_until)
      order by j.ordering_number
      limit 1
      for update;
    end if;
    perform ebb.wake(woken);
  end if;
  -- How long the next one may keep the others counts from now: the claim that meets the one behind
  -- it writes that down.
  if (select q.ordering ->> 'maxHold' from ebb.queue q where q.name = old.queue) is not null then
    perform ebb.wake(j.id)
    from (
      select j.id
      from ebb.job j
      where j.queue = old.queue
        and j.ordering_key = old.ordering_key
        and j.ordering_number > next_number
        and ebb.is_held(j.blocked_version, j.version, j.held_until)
      order by j.ordering_number
      limit 1
      for update skip locked
    ) j;
  end if;
  return null;
end
$$;

create trigger pass_turn after delete on ebb.job
for each row when (old.ordering_key is not null)
execute function ebb.pass_turn();

create trigger pass_turn_of_skipped after update of blocks_until on ebb.job
for each row when (old.ordering_key is not null and new.blocks_until = '-infinity')
execute function ebb.pass_turn();
