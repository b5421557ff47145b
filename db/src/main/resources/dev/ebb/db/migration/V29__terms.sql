-- By what jobs are found: a row for the unique key and for each label of a job, written with the
-- job. It stays where it is while the job moves from table to table. The index gives the newest
-- first, without a sort. Jobs that have neither key nor labels cost nothing here.
--
-- A row may outlive its job, and may be there twice: readers look at the job, too.

-- In the order in which a reader of the views takes them, so that neither waits for the other.
lock table ebb.every_job, ebb.new_job in access exclusive mode;

create function ebb.term(field text, value text) returns bigint
language sql immutable
return ('x' || left(md5(field || ':' || value), 16))::bit(64)::bigint;

create function ebb.terms(unique_key text, labels jsonb) returns setof bigint
language sql immutable
begin atomic
  select ebb.term('key', unique_key) where unique_key is not null
  union all
  select ebb.term('label', l.key || '=' || l.value)
  from jsonb_each_text(case when jsonb_typeof(labels) = 'object' then labels end) l;
end;

-- By the day at which the job's id was made: a day goes when its last job has gone, or most have.
create table ebb.term (
  term bigint not null,
  id   uuid not null
) partition by range (id);
create index term_id on ebb.term (term, id);

create table ebb.term_rest partition of ebb.term default;

-- Those of jobs that outlive their day's partition, and of labels that changed.
create table ebb.term_kept (like ebb.term including all);
create index term_kept_id on ebb.term_kept (id);

create view ebb.every_term as
select * from ebb.term
union all
select * from ebb.term_kept;

-- A row for each of them, and not one statement for all: only jobs that have terms pay, and every
-- statement that stores jobs is covered.
create function ebb.note_terms() returns trigger language plpgsql as $$
begin
  insert into ebb.term (term, id) select t.term, new.id
  from ebb.terms(new.unique_key, new.labels) t (term);
  return null;
end $$;

create function ebb.change_terms() returns trigger language plpgsql as $$
begin
  delete from ebb.term t
  where t.id = new.id and t.term in (select ebb.terms(old.unique_key, old.labels));
  delete from ebb.term_kept t
  where t.id = new.id and t.term in (select ebb.terms(old.unique_key, old.labels));
  insert into ebb.term_kept (term, id) select t.term, new.id
  from ebb.terms(new.unique_key, new.labels) t (term);
  return null;
end $$;

-- A dead letter that becomes a job again has its terms.
create trigger job_found after insert on ebb.job
for each row when (new.redriven_at is null and num_nonnulls(new.unique_key, new.labels) > 0)
execute function ebb.note_terms();

create trigger job_found_anew after update of labels on ebb.job
for each row when (old.labels is distinct from new.labels)
execute function ebb.change_terms();

-- Labels that were taken from the payload go with it, wherever the job is.
create trigger dead_letter_found_anew after update of labels on ebb.dead_letter
for each row when (old.labels is distinct from new.labels)
execute function ebb.change_terms();

create trigger history_found_anew after update of labels on ebb.history
for each row when (old.labels is distinct from new.labels)
execute function ebb.change_terms();

create trigger history_stray_found_anew after update of labels on ebb.history_stray
for each row when (old.labels is distinct from new.labels)
execute function ebb.change_terms();

-- As before, and the days of terms.
create or replace function ebb.make_partitions(days_ahead integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  parent text;
  day    date;
  part   text;
  least  text;
  beyond text;
begin
  foreach parent in array array['history', 'attempt', 'term'] loop
    for ahead in 0 .. days_ahead loop
      day := (now() at time zone 'UTC')::date + ahead;
      part := parent || '_' || to_char(day, 'YYYYMMDD');
      if to_regclass('ebb.' || part) is null then
        least := day || ' 00:00:00+00';
        beyond := (day + 1) || ' 00:00:00+00';
        if parent = 'term' then
          least := ebb.first_id(least::timestamptz);
          beyond := ebb.first_id(beyond::timestamptz);
        end if;
        begin
          execute format(
            'create table ebb.%I (like ebb.%I including defaults including constraints)',
            part, parent);
          execute format(
            'alter table ebb.%I attach partition ebb.%I for values from (%L) to (%L)',
            parent, part, least, beyond);
        exception when check_violation then
          null;
        end;
      end if;
    end loop;
  end loop;
end $$;

-- As before. The terms of jobs that are gone go with them, and those of jobs that are still there
-- are moved first, so many at a time: then there is more to do. A session of a node plans no
-- sequential scan, which is what this needs.
create or replace function ebb.drop_partition(days_kept integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = on as $$
declare
  piece constant integer := 50000;
  part   text;
  day    timestamptz;
  moved  integer := 0;
begin
  select c.relname into part
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('ebb.history'::regclass, 'ebb.attempt'::regclass, 'ebb.term'::regclass)
    and c.relname ~ '_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - days_kept
  order by right(c.relname, 8), c.relname
  limit 1;
  if part is null then
    return false;
  end if;
  if part ~ '^history_' then
    execute format(
      'delete from ebb.term_kept
       where ctid = any (array(
         select t.ctid from ebb.%I h join ebb.term_kept t on t.id = h.id limit $1))', part)
    using piece;
    get diagnostics moved = row_count;
  elsif part ~ '^term_' then
    day := to_date(right(part, 8), 'YYYYMMDD')::timestamp at time zone 'UTC';
    execute format(
      'with there as materialized (
         select id from ebb.job where id >= $1 and id < $2
         union all
         select id from ebb.dead_letter where id >= $1 and id < $2
         union all
         select id from ebb.every_history where id >= $1 and id < $2
       ), moved as (
         delete from ebb.%1$I
         where ctid = any (array(
           select t.ctid from ebb.%1$I t where t.id in (select id from there) limit $3))
         returning *
       )
       insert into ebb.term_kept select * from moved', part)
    using ebb.first_id(day), ebb.first_id(day + interval '1 day'), piece;
    get diagnostics moved = row_count;
  end if;
  if moved < piece then
    execute format('drop table ebb.%I', part);
  end if;
  return true;
end $$;

select ebb.make_partitions(7);

-- What queues take from the payloads of their jobs as labels: a JSON Pointer for each name.
alter table ebb.queue add column labels_from jsonb;

-- The names of those labels of a job that were taken from its payload.
alter table ebb.job add column payload_labels text[];
alter table ebb.dead_letter add column payload_labels text[];
alter table ebb.history add column payload_labels text[];
alter table ebb.history_stray add column payload_labels text[];

-- RFC 6901 as the path of an operator.
create function ebb.pointer_path(pointer text) returns text[]
language sql immutable
return array(
  select replace(replace(u.part, '~1', '/'), '~0', '~')
  from unnest(string_to_array(substr(pointer, 2), '/')) with ordinality u (part, place)
  order by u.place);

-- A scalar of a payload, as text. The body of a delivery is often a text that is JSON itself: a
-- path goes on in it.
create function ebb.field(document jsonb, path text[]) returns text
language sql immutable
return (
  select f.value #>> '{}'
  from (
    select case
      when document #> path is not null then document #> path
      when jsonb_typeof(document -> path[1]) = 'string'
        and pg_input_is_valid(document ->> path[1], 'jsonb')
      then (document ->> path[1])::jsonb #> path[2:]
    end as value
  ) f
  where jsonb_typeof(f.value) in ('string', 'number', 'boolean'));

-- The labels that a payload gives by a queue's rules, beside those that the sender gave; null for
-- none. A job has 16 labels at most, and each has 200 characters at most: what does not fit is left
-- out, and so is what the sender gave another value.
create function ebb.labels_from(rules jsonb, payload text, own jsonb) returns jsonb
language plpgsql immutable as $$
declare
  document jsonb;
begin
  if not pg_input_is_valid(payload, 'jsonb') then
    return null;
  end if;
  document := payload::jsonb;
  return (
    select jsonb_object_agg(f.name, f.value)
    from (
      select
        r.key as name, v.value,
        row_number() over (partition by own ? r.key order by r.key) as place
      from jsonb_each_text(rules) r
      cross join lateral (select ebb.field(document, ebb.pointer_path(r.value)) as value) v
      where octet_length(v.value) between 1 and 200
        and coalesce(own ->> r.key = v.value, true)
    ) f
    where own ? f.name
      or f.place <= 16 - (select count(*) from jsonb_object_keys(own)));
exception when statement_too_complex then
  -- A text in the payload may be nested deeper than the payload itself may be.
  return null;
end $$;

-- The labels that the sender gave, of those that somebody set: without the names that came from the
-- payload and have the value that they had.
create function ebb.own_labels(labels jsonb, were jsonb, payload_labels text[]) returns jsonb
language sql immutable
return coalesce(labels, '{}') - array(
  select u.name
  from unnest(payload_labels) u (name)
  where labels ->> u.name = were ->> u.name);
