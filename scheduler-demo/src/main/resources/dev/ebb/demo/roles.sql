-- Run by the demo at every start, in PostgreSQL's single-user mode, before anybody can connect. A
-- folder in which all belonged to the superuser, who needed no password, becomes one in which Ebb has
-- a role of its own.
do $$
declare
  command text;
begin
  if to_regrole('ebb') is null then
    create role ebb;
  end if;
  alter role ebb login password 'PASSWORD';
  alter role postgres password null;
  create schema if not exists ebb;
  alter schema ebb owner to ebb;
  for command in
    select format('alter table ebb.%I owner to ebb', c.relname)
    from pg_class c
    where c.relnamespace = 'ebb'::regnamespace and c.relowner <> 'ebb'::regrole
      and (c.relkind in ('r', 'p', 'v')
        -- The sequence of a column follows its table.
        or c.relkind = 'S' and not exists (
          select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to ebb', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'ebb'::regnamespace and p.proowner <> 'ebb'::regrole
    union all
    select format('alter type %s owner to ebb', t.oid::regtype)
    from pg_type t
    where t.typnamespace = 'ebb'::regnamespace and t.typowner <> 'ebb'::regrole
      and (t.typtype in ('d', 'e')
        -- The type of a table's rows follows its table.
        or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
  loop
    execute command;
  end loop;
end $$;

