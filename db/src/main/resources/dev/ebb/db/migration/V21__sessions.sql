-- The keys that seal the sessions of browsers. Every node reads them, so that a session begun at one
-- holds at all, and outlasts each.
create table ebb.session_key (
  id      integer generated always as identity primary key,
  secret  bytea not null check (octet_length(secret) = 32),
  made_at timestamptz not null default now()
);

-- The token that made it; null for ./ebb and EBB_ADMIN_TOKEN. Names are given anew, ids are not.
alter table ebb.token add column created_by_id text collate "C";

update ebb.token t
set created_by_id = (
  select a.token_id
  from ebb.audit a
  where a.subject = t.id and a.action = 'token.create'
  order by a.id
  limit 1);

create index token_created_by on ebb.token (created_by_id) where created_by_id is not null;

-- What an action changed: for each field what it was and what it is.
alter table ebb.audit add column changes jsonb;

-- Who may write entries may write that too. And of the tables in which Quartz would keep Java
-- objects, the nodes need none: they may neither read calendars nor write anything into either. A
-- node of the previous release still deletes from the other one where a trigger has no row of its
-- kind.
do $$
declare
  grantee text;
begin
  for grantee in
    select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end
    from pg_attribute c
    cross join aclexplode(c.attacl) a
    where c.attrelid = 'ebb.audit'::regclass and c.attname = 'action'
      and a.privilege_type = 'INSERT'
  loop
    execute format('grant insert (changes) on ebb.audit to %s', grantee);
  end loop;
  for grantee in
    select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end
    from pg_class c
    cross join aclexplode(c.relacl) a
    where c.oid in ('ebb.qrtz_calendars'::regclass, 'ebb.qrtz_blob_triggers'::regclass)
      and a.grantee <> c.relowner
  loop
    execute format('revoke all on ebb.qrtz_calendars from %s', grantee);
    execute format('revoke all on ebb.qrtz_blob_triggers from %s', grantee);
    execute format('grant select, delete on ebb.qrtz_blob_triggers to %s', grantee);
  end loop;
end $$;
