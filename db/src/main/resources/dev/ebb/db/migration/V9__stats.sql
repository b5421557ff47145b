-- Statistics that are maintained, so that nobody counts history.
--
--   tally        what each transaction did, written with it; folded away within a minute
--   stat         the same by minute, hour and day, for each queue and kind
--   stat_queue   how many jobs and dead letters each queue has: a running sum of the same tallies
--   stat_state   since when the sums are right

-- A transaction adds a row for each counter, queue, kind and bucket that it counts in, and changes
-- none: so no row is hot. Counters have the numbers of db.stats.Counter, buckets those of
-- core.stats.Histogram.
--
-- The partitions are a ring, each for 15 seconds. One whose time is over is folded into the other
-- tables and emptied whole, in one transaction: so nothing is counted twice or lost, and no dead
-- row is left behind, whatever old snapshot is open.
create table ebb.tally (
  at      timestamptz not null default statement_timestamp(),
  micros  bigint not null default 0,
  number  integer not null,
  counter smallint not null,
  -- Of how long it waited or ran, where the counter has such.
  bucket  smallint,
  part    smallint not null
    default floor(date_part('epoch', statement_timestamp()) / 15)::bigint % 4,
  queue   text not null,
  kind    text not null
) partition by list (part);

do $$
begin
  for part in 0 .. 3 loop
    -- Emptied before a vacuum could gain anything.
    execute format(
      'create table ebb.%I partition of ebb.tally for values in (%s)
       with (autovacuum_vacuum_insert_threshold = -1)',
      'tally_' || part, part);
  end loop;
end $$;

-- Keeps readers and writers of a partition out until the transaction ends.
create function ebb.lock_tally(part smallint) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('lock table ebb.%I in access exclusive mode', 'tally_' || part);
end $$;

-- Empties a partition that the caller has locked and folded. Only a table's owner may: see
-- ebb.drop_partition.
create function ebb.empty_tally(part smallint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('truncate ebb.%I', 'tally_' || part);
end $$;

revoke execute on function ebb.empty_tally(smallint) from public;

create table ebb.stat (
  at          timestamptz not null,
  submitted   bigint not null,
  started     bigint not null,
  completed   bigint not null,
  failed      bigint not null,
  throttled   bigint not null,
  dead        bigint not null,
  cancelled   bigint not null,
  redriven    bigint not null,
  discarded   bigint not null,
  released    bigint not null,
  snoozed     bigint not null,
  -- How long the started ones had been due, and how long attempts ran that ended in a completion
  -- or a failure; their sums, and their numbers by bucket, without the empty buckets at the end.
  wait_micros double precision not null,
  run_micros  double precision not null,
  -- The length of its step in minutes: 1, 60, 1440.
  step        smallint not null,
  -- Both are * for all that found no place: see db.stats.Fold.
  queue       text collate "C" not null,
  kind        text collate "C" not null,
  wait        bigint[] not null,
  run         bigint[] not null,
  primary key (step, queue, kind, at)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);
create index stat_at on ebb.stat (step, at);

-- One of a name that has neither jobs nor dead letters goes an hour after its last tally. The
-- queue * is all of them.
create table ebb.stat_queue (
  queue        text collate "C" primary key,
  jobs         bigint not null,
  dead_letters bigint not null,
  touched_at   timestamptz not null
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);

create table ebb.stat_state (
  one         boolean primary key default true check (one),
  -- Null as long as nodes of another release may run, which write no tallies.
  exact_since timestamptz
);
insert into ebb.stat_state default values;

-- A histogram with so many in one bucket.
create function ebb.buckets(bucket smallint, number bigint) returns bigint[]
language sql immutable parallel safe
return array_fill(0::bigint, array[bucket::integer]) || number;

create function ebb.add_buckets(first bigint[], second bigint[]) returns bigint[]
language sql immutable parallel safe
return array(
  select coalesce(t.a, 0) + coalesce(t.b, 0)
  from unnest(first, second) with ordinality as t (a, b, place)
  order by t.place);

create aggregate ebb.sum_buckets(bigint[]) (
  sfunc = ebb.add_buckets, stype = bigint[], initcond = '{}', parallel = safe
);

-- By how much a tally changes the number of live jobs, and that of dead letters.
create function ebb.jobs_added(counter smallint, number bigint) returns bigint
language sql immutable parallel safe
return case when counter in (1, 8) then number when counter in (3, 6, 7) then -number else 0 end;

create function ebb.dead_letters_added(counter smallint, number bigint) returns bigint
language sql immutable parallel safe
return case when counter = 6 then number when counter in (8, 9) then -number else 0 end;

-- Counts the jobs and the dead letters of every queue. A job and its tally appear together, so what
-- one snapshot sees of the jobs, less what it sees of tallies that are not folded yet, is the sum
-- of those that were. Its caller keeps others from folding meanwhile.
create function ebb.recount_queues() returns void
language sql set search_path = pg_catalog, pg_temp as $$
  with counted as (
    select queue, sum(jobs) as jobs, sum(dead_letters) as dead_letters
    from (
      select queue, count(*) as jobs, 0 as dead_letters from ebb.job group by queue
      union all
      select queue, 0, count(*) from ebb.dead_letter group by queue
      union all
      select
        queue,
        -sum(ebb.jobs_added(counter, number)),
        -sum(ebb.dead_letters_added(counter, number))
      from ebb.tally
      group by queue
    ) found
    group by queue
  ), known as (
    select
      coalesce(c.queue, s.queue) as queue,
      coalesce(c.jobs, 0) as jobs,
      coalesce(c.dead_letters, 0) as dead_letters
    from counted c
    full join ebb.stat_queue s on s.queue = c.queue
    where coalesce(c.queue, s.queue) <> '*'
  )
  insert into ebb.stat_queue (queue, jobs, dead_letters, touched_at)
  select queue, jobs, dead_letters, now() from known
  union all
  select '*', coalesce(sum(jobs), 0), coalesce(sum(dead_letters), 0), now() from known
  on conflict (queue) do update
  set jobs = excluded.jobs, dead_letters = excluded.dead_letters
$$;

revoke execute on function ebb.recount_queues() from public;

-- What nodes of the last release do meanwhile is missing: the first node counts again.
select ebb.recount_queues();
