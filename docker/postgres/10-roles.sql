-- Ebb's roles, for a database that only Ebb uses. A superuser runs this in it, once, before
-- "ebb migrate". No statement of Ebb's needs a superuser.

-- Runs "ebb migrate", and owns the schema "ebb" with all that is in it.
create role ebb_owner login;

-- Serves: api, worker and server. Reads and writes rows, and owns nothing.
create role ebb login;

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect, create on database %I to ebb_owner', current_database());
  execute format('grant connect on database %I to ebb', current_database());
end $$;

-- The nodes may use everything that a migration makes, now or later.
alter default privileges for role ebb_owner grant usage on schemas to ebb;
alter default privileges for role ebb_owner grant select, insert, update, delete on tables to ebb;
alter default privileges for role ebb_owner grant usage on sequences to ebb;
alter default privileges for role ebb_owner grant execute on functions to ebb;

