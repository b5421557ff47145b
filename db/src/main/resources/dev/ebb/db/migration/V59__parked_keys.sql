-- The ordering keys of a queue whose jobs are parked, in their order, and at most so many: stepped
-- through along the index of what is parked, so that the cost is that of the keys, and not of the
-- jobs behind them.
create function ebb.parked_keys(of_queue text, most integer)
returns table (key text, place integer)
language sql stable as $$
  with recursive step (key, place) as (
    (
      select j.ordering_key, 1
      from ebb.job j
      where j.queue = of_queue
        and j.blocked_version = j.version
      order by j.ordering_key
      limit 1
    )
    union all
    select
      (
        select j.ordering_key
        from ebb.job j
        where j.queue = of_queue
          and j.ordering_key > s.key
          and j.blocked_version = j.version
        order by j.ordering_key
        limit 1
      ),
      s.place + 1
    from step s
    where s.key is not null and s.place < most
  )
  select s.key, s.place from step s where s.key is not null
$$;
