-- Who did what, why, to how many, from where. It is append-only, and has a partition for each month.
-- An entry's id tells its time: so the months are ranges of ids, and the newest ids come first.
create table ebb.audit (
  id       uuid primary key default uuidv7(),
  actor    text not null,
  token_id text,
  address  text,
  reason   text,
  action   text not null,
  subject  text not null,
  affected bigint not null
) partition by range (id);
create index audit_subject on ebb.audit (subject, id);
create index audit_actor on ebb.audit (actor, id);

-- Entries of a month that nobody made in time: no action fails because its month is missing.
create table ebb.audit_rest partition of ebb.audit default;

-- Where one role owns all, rights keep nobody out: this does, as long as nobody takes it away.
create function ebb.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise insufficient_privilege using message = 'the audit is append-only';
end $$;

create trigger audit_append_only before update or delete on ebb.audit
for each row execute function ebb.refuse_change();

-- Takes all rights on a table of the audit from everybody but its owner, and answers from whom.
create function ebb.seal_audit(part regclass) returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  grantee text;
begin
  execute format(
    'create trigger audit_not_truncated before truncate on %s '
      || 'for each statement execute function ebb.refuse_change()',
    part);
  for grantee in
    select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end
    from pg_class c
    cross join aclexplode(c.relacl) a
    where c.oid = part and a.grantee <> c.relowner
  loop
    execute format('revoke all on %s from %s', part, grantee);
    return next grantee;
  end loop;
end $$;

-- The role of a node may read and add entries, without a say in their ids; and all of it by the
-- parent, whose rights are those that count for its partitions.
do $$
declare
  grantee text;
begin
  perform ebb.seal_audit('ebb.audit_rest');
  for grantee in select ebb.seal_audit('ebb.audit') loop
    execute format('grant select on ebb.audit to %s', grantee);
    execute format(
      'grant insert (actor, token_id, address, reason, action, subject, affected) '
        || 'on ebb.audit to %s',
      grantee);
  end loop;
end $$;

-- The least id of entries from that time on.
create function ebb.first_id(since timestamptz) returns uuid
language sql stable set search_path = pg_catalog, pg_temp as $$
  select (lpad(to_hex((extract(epoch from since) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the missing partitions of this month and those ahead, as ebb.make_partitions does days.
create function ebb.make_audit_months(months_ahead integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  month timestamp;
  part  text;
begin
  for ahead in 0 .. months_ahead loop
    month := date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead);
    part := 'audit_' || to_char(month, 'YYYYMM');
    if to_regclass('ebb.' || part) is null then
      begin
        execute format(
          'create table ebb.%I (like ebb.audit including defaults including constraints)', part);
        execute format(
          'alter table ebb.audit attach partition ebb.%I for values from (%L) to (%L)', part,
          ebb.first_id(month at time zone 'UTC'),
          ebb.first_id((month + interval '1 month') at time zone 'UTC'));
        perform ebb.seal_audit(('ebb.' || part)::regclass);
      exception when check_violation then
        null;
      end;
    end if;
  end loop;
end $$;

-- Drops the oldest month that ended more than 400 days ago, and returns whether there was one. How
-- long is no parameter: who may call this must not be able to delete what is younger.
create function ebb.drop_audit_month() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part text;
begin
  select c.relname into part
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'ebb.audit'::regclass
    and c.relname ~ '_[0-9]{6}$'
    and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month'
      < (now() at time zone 'UTC') - interval '400 days'
  order by c.relname
  limit 1;
  if part is null then
    return false;
  end if;
  execute format('drop table ebb.%I', part);
  return true;
end $$;

revoke execute on function
  ebb.seal_audit(regclass), ebb.make_audit_months(integer), ebb.drop_audit_month()
from public;

select ebb.make_audit_months(3);

-- The processes that run a worker, as each told at its last heartbeat. They write it anew every ten
-- seconds, so it is not logged: when a crash has emptied it, the nodes tell of themselves again.
create unlogged table ebb.node (
  name          text collate "C" primary key,
  version       text not null,
  settings_hash text not null,
  -- Empty for all.
  queues        text[] not null,
  kinds         text[] not null,
  concurrency   integer not null,
  started_at    timestamptz not null default now(),
  heartbeat_at  timestamptz not null default now(),
  stopped_at    timestamptz,
  in_flight     integer not null default 0,
  -- The node's clock less the database's.
  skew_micros   bigint,
  -- Whether the process is ending, and whether somebody asked it to claim no more.
  closing       boolean not null default false,
  draining      boolean not null default false
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
