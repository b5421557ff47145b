-- Guards against what nodes of the previous release would write, because they do not know better;
-- and what a replay of a submit has to know.

-- The stored policies that the first request named, by name, as they were then; null for none.
alter table ebb.idempotency add column policies jsonb;

-- An erased payload is empty. A redrive that does not know of erasure is refused by this, and the
-- dead letter stays. No text has to be read for it, and no row that is there.
alter table ebb.job
  add constraint job_payload_not_erased check (octet_length(payload) > 0) not valid;

-- Until when a pause is, and which policy a queue follows, stand beside `paused` and `policy`. A
-- statement that names the one without the other is that of a node that does not know the other:
-- what it leaves there does not belong to what it wrote. Triggers see which columns a statement
-- names by their own; those of one row fire in the order of their names.
create function ebb.note_named_column() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config(tg_argv[0], new.name, true);
  return new;
end $$;

create trigger a_names_end_of_pause before update of paused_until on ebb.queue
for each row execute function ebb.note_named_column('ebb.names_end_of_pause');

create trigger a_names_policy_name before update of policy_name on ebb.queue
for each row execute function ebb.note_named_column('ebb.names_policy_name');

create function ebb.forget_end_of_pause() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('ebb.names_end_of_pause', true) is distinct from new.name then
    new.paused_since := case
      when new.paused and old.paused and coalesce(old.paused_until > now(), true)
      then old.paused_since
      when new.paused
      then now()
    end;
    new.paused_by := null;
    new.pause_reason := null;
    new.paused_until := null;
  end if;
  perform set_config('ebb.names_end_of_pause', '', true);
  return new;
end $$;

create trigger b_forget_end_of_pause before update of paused on ebb.queue
for each row execute function ebb.forget_end_of_pause();

create function ebb.forget_policy_name() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('ebb.names_policy_name', true) is distinct from new.name
    and new.policy is distinct from old.policy
  then
    new.policy_name := null;
  end if;
  perform set_config('ebb.names_policy_name', '', true);
  return new;
end $$;

create trigger b_forget_policy_name before update of policy on ebb.queue
for each row execute function ebb.forget_policy_name();

-- As before, and it gives the entries in audit_rest a partition first: months that nobody made in
-- time follow one another, so the table itself becomes the partition of all of them, under the name
-- of the last, and no entry moves. Where a month between them exists, it stays as it is.
create or replace function ebb.make_audit_months(months_ahead integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first_month timestamp;
  month       timestamp;
  part        text;
begin
  select min(e.month), max(e.month) into first_month, month
  from (
    (select id from ebb.audit_rest order by id limit 1)
    union all
    (select id from ebb.audit_rest order by id desc limit 1)
  ) ends
  cross join lateral (
    -- The first 48 bits of an id, of whatever version, are milliseconds.
    select date_trunc(
      'month',
      to_timestamp(
        ('x0000' || left(replace(ends.id::text, '-', ''), 12))::bit(64)::bigint / 1000.0)
        at time zone 'UTC') as month
  ) e;
  if month is not null then
    part := 'audit_' || to_char(month, 'YYYYMM');
    begin
      alter table ebb.audit detach partition ebb.audit_rest;
      execute format('alter table ebb.audit_rest rename to %I', part);
      execute format(
        'alter table ebb.audit attach partition ebb.%I for values from (%L) to (%L)', part,
        ebb.first_id(first_month at time zone 'UTC'),
        ebb.first_id((month + interval '1 month') at time zone 'UTC'));
      create table ebb.audit_rest (like ebb.audit including defaults including constraints);
      alter table ebb.audit attach partition ebb.audit_rest default;
      perform ebb.seal_audit('ebb.audit_rest'::regclass);
    exception when invalid_object_definition or duplicate_table then
      null;
    end;
  end if;
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
      exception when check_violation or invalid_object_definition then
        null;
      end;
    end if;
  end loop;
end $$;

-- To find the tokens that ended long ago.
create index token_end on ebb.token (least(revoked_at, expires_at));
