with recursive live (name, steps) as (
  (select j.queue, 1 from ebb.job j where j.queue > ? order by j.queue limit 1)
  union all
  select
    (select j.queue from ebb.job j where j.queue > l.name order by j.queue limit 1),
    l.steps + 1
  from live l
  where l.name is not null and l.steps < ?
), names as (
  (select q.name from ebb.queue q where q.name > ? order by q.name limit ?)
  union
  select l.name from live l where l.name is not null
)
select n.name, q.paused, q.policy, q.rate_limit, q.max_concurrency, q.created_at
from (select name from names order by name limit ?) n
left join ebb.queue q on q.name = n.name
order by n.name
