-- A start in which nothing runs until people resume it: one row, as soon as there was such a start. What was
-- resumed stays so until people confirm the database anew (ebb.identity): a node that is started again with
-- EBB_START=paused must not pause a cluster that works.
create table ebb.start (
  one          boolean primary key default true check (one),
  paused_since timestamptz,
  paused_by    text,
  resumed_at   timestamptz,
  -- The confirmation that was in force.
  resumed_of   timestamptz,
  check ((paused_since is null) = (paused_by is null))
);

-- After a restore. A dump brings events whose transactions the new server has not given yet, and the birth of
-- another server: readers would be told old events as new ones, and go on at places that mean nothing here.
create function ebb.forget_every_event() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  truncate ebb.event;
  delete from ebb.listening;
end $$;

-- Where rows were copied without their sequences, as COPY does, the next row would be refused. Returns the names
-- of the sequences that were behind.
create function ebb.advance_sequences() returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  owned  record;
  moved  bigint;
  behind text[] := '{}';
begin
  for owned in
    select s.oid::regclass as sequence, d.refobjid::regclass as of_table, a.attname as of_column
    from pg_class s
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid
      and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'ebb'::regnamespace
  loop
    execute format(
      'select setval(%L, t.most)
       from (select max(%I) as most from %s) t
       where t.most > (select case when is_called then last_value else last_value - 1 end from %s)',
      owned.sequence, owned.of_column, owned.of_table, owned.sequence)
    into moved;
    if moved is not null then
      behind := behind || owned.sequence::text;
    end if;
  end loop;
  return behind;
end $$;

revoke execute on function ebb.forget_every_event(), ebb.advance_sequences() from public;
