-- How each verb of e1.sql reads job, and the buffers that it touches per job, in every state of the
-- table. The plans are generic, cached while the table was empty, and no statistics are made unless
-- it says so. Run with: psql -q -f schema.sql -f plans.sql (autovacuum off).

\set ON_ERROR_STOP 1
\pset footer off
\i e1.sql
set client_min_messages = warning;
set plan_cache_mode = force_generic_plan;

create temporary table figure (
  n int generated always as identity, state text, verb text, jobs int, scan text,
  buffers_per_job numeric, ms numeric);

create or replace function pg_temp.explain(state text, verb text, call text, jobs int) returns void
language plpgsql as $$
declare
  plan jsonb;
  scan jsonb;
begin
  execute 'explain (analyze, buffers, format json) ' || call into plan;
  scan := jsonb_path_query_first(plan, '$.** ? (@."Relation Name" == "job" && @."Node Type" like_regex "Scan")');
  insert into figure (state, verb, jobs, scan, buffers_per_job, ms)
  values (state, verb, jobs, (scan ->> 'Node Type') || ' ' || coalesce(scan ->> 'Index Name', '')
      || ', searches ' || coalesce(scan ->> 'Index Searches', '-') || ', buffers '
      || ((scan ->> 'Shared Hit Blocks')::int + (scan ->> 'Shared Read Blocks')::int),
    round(((plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::numeric
      + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::numeric) / greatest(jobs, 1), 2),
    round((plan -> 0 ->> 'Execution Time')::numeric, 2));
end $$;

create or replace procedure pg_temp.both(state text, jobs int) language plpgsql as $$
declare
  given record;
begin
  execute format('execute claim_turn(%L)', 'q');
  perform pg_temp.explain(state, 'claim',
    format('execute claim(%L, %L, %s, 10000000, %L, %L)', 'q', '{k}', greatest(jobs, 1), 'node-1', '1 hour'), jobs);
  select coalesce(array_agg(j.id), '{}') ids, coalesce(array_agg(j.version), '{}') versions,
      coalesce(array_agg(l.id), '{}') leases, coalesce(array_agg(distinct l.id), '{}') ended
    into given
    from e1.lease l, unnest(l.job_ids, l.versions) j(id, version)
   where l.id = (select max(id) from e1.lease);
  perform pg_temp.explain(state, 'complete', format('execute complete(%L, %L, %L, %L)',
    given.ids, given.versions, given.leases, given.ended), jobs);
end $$;

create or replace procedure pg_temp.load(jobs int, priorities int, due interval) language sql as $$
  insert into e1.job (queue, kind, priority, run_at, max_attempts, payload)
  select 'q', 'k', n % priorities, now() + due, 5, rpad(md5(n::text), 200, md5((n + 1)::text))
    from generate_series(1, jobs) as n
$$;

alter table job set (autovacuum_enabled = off);
alter table lease set (autovacuum_enabled = off);
vacuum analyze job, lease;
call pg_temp.both('empty', 0);
call pg_temp.load(10000, 1, '0');
call pg_temp.both('10,000 just loaded', 100);
call pg_temp.both('10,000 just loaded', 500);
call pg_temp.load(990000, 1, '0');
call pg_temp.both('1,000,000 just loaded', 100);
call pg_temp.both('1,000,000 just loaded', 500);
analyze job;
call pg_temp.both('1,000,000 analysed', 500);

truncate job, lease;
vacuum analyze job, lease;
call pg_temp.load(1000000, 1, '1 hour');
insert into job (queue, kind, priority, run_at, max_attempts, payload)
select 'q', 'k', 5, now(), 5, repeat('x', 200) from generate_series(1, 10000);
call pg_temp.both('1,000,000 parked before the due ones, 1 priority', 100);
analyze job;
call pg_temp.both('the same, analysed', 100);

truncate job, lease;
vacuum analyze job, lease;
call pg_temp.load(1000000, 10, '1 hour');
insert into job (queue, kind, priority, run_at, max_attempts, payload)
select 'q', 'k', 9, now(), 5, repeat('x', 200) from generate_series(1, 10000);
call pg_temp.both('1,000,000 parked at ten priorities, due at the last', 100);
analyze job;
call pg_temp.both('the same, analysed', 100);
call pg_temp.load(990, 11, '0');
delete from job where run_at <= now();
vacuum (index_cleanup on) job;
call pg_temp.both('the same, nothing due', 0);

truncate job, lease;
call pg_temp.load(20000, 1, '0');
insert into lease (queue, node, claimed_at, expires_at, job_ids, versions)
select 'q', 'node-1', now(), now() + interval '1 hour', array_agg(id), array_agg(version)
  from (select id, version, row_number() over (order by priority, run_at, id) as place from job) as placed
 where place <= 10000
 group by (place - 1) / 100;
call pg_temp.both('10,000 in flight at the head', 100);

select state, verb, jobs, scan, buffers_per_job, ms from figure order by n;
