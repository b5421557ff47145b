-- Attempts may be kept for fewer days than the jobs that ended.

-- As ebb.drop_partition, of attempts alone.
create function ebb.drop_attempts(days_kept integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part text;
begin
  select c.relname into part
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'ebb.attempt'::regclass
    and c.relname ~ '_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days_kept
  order by c.relname
  limit 1;
  if part is null then
    return false;
  end if;
  execute format('drop table ebb.%I', part);
  return true;
end $$;

revoke execute on function ebb.drop_attempts(integer) from public;

create index attempt_stray_ended on ebb.attempt_stray (ended_at);

-- No attempt that ended before is kept, but for those that ended their job: the first day that is
-- there, or the first attempt of a day that nobody made in time.
create function ebb.attempts_kept_from() returns timestamptz
language sql stable as $$
  select least(
    (
      select to_date(right(min(c.relname), 8), 'YYYYMMDD')::timestamp at time zone 'UTC'
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'ebb.attempt'::regclass
        and c.relname ~ '_[0-9]{8}$'
    ),
    (select min(s.ended_at) from ebb.attempt_stray s))
$$;
