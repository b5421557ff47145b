-- What to scale workers on, for KEDA and the like: how many jobs run, and how many more could start
-- now. Whoever may ask is told by name: ./ebb grant-demand ROLE.

-- Jobs that run, and due ones that no lease names, of these queues or of all. Of a queue no more
-- than 10,000 that could start count, and none that its limits hold back: it is paused, its circuit
-- is open, maxConcurrency jobs run, or its rate lets no more start within a second. More workers
-- would not help those. The answer is at most 100,000; the search ends there.
--
-- Steps from queue to queue along the claim index, so that the cost is that of the queues with
-- jobs, and of what is counted.
create function ebb.demand(queues text[] default null) returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
with recursive running as materialized (
  select l.queue, count(*) as jobs
  from ebb.leased l
  join ebb.job j on j.id = l.id and j.version = l.version
  where queues is null or l.queue = any (queues)
  group by l.queue
), step (name, demand) as (
  select '', 0::bigint
  union all
  select n.name, s.demand + r.jobs + least(room.jobs, greatest(0, due.jobs - r.jobs))
  from step s
  cross join lateral (
    (
      select j.queue as name
      from ebb.job j
      where queues is null and j.queue > s.name
      order by j.queue
      limit 1
    )
    union all
    (
      select wanted.name
      from unnest(queues) wanted (name)
      where wanted.name > s.name
      order by wanted.name
      limit 1
    )
  ) n
  cross join lateral (
    select coalesce((select g.jobs from running g where g.queue = n.name), 0) as jobs
  ) r
  cross join lateral (
    select
      case
        when q.paused and coalesce(q.paused_until > statement_timestamp(), true)
          or c.held_until > statement_timestamp()
          or exists (select from ebb.start a where a.paused_since is not null)
          then 0
        else least(
          10000,
          case when q.max_concurrency is not null then greatest(0, q.max_concurrency - r.jobs) end,
          case
            when q.rate_limit is null then null
            when l.next_free_at > statement_timestamp() + interval '1 second' then 0
            else ceil((q.rate_limit ->> 'permitsPerSecond')::numeric)
          end,
          case when c.state ->> 'phase' <> 'CLOSED' then greatest(0, 1 - r.jobs) end)
      end::bigint as jobs
    from (values (n.name)) one (name)
    left join ebb.queue q on q.name = one.name
    left join ebb.limiter l on l.queue = q.name and q.rate_limit is not null
    left join ebb.circuit c on c.queue = q.name and q.destination is not null
  ) room
  cross join lateral (
    -- What is claimed is due as well.
    select count(*) as jobs
    from (
      select
      from generate_series(0, 9) level
      cross join lateral (
        select
        from ebb.job j
        where j.queue = n.name
          and j.priority = level::smallint
          and j.run_at <= statement_timestamp()
      ) found
      limit case room.jobs when 0 then 0 else room.jobs + r.jobs end
    ) counted
  ) due
  where s.demand < 100000
)
select least(100000, max(s.demand)) from step s
$$;

revoke execute on function ebb.demand(text[]) from public;
