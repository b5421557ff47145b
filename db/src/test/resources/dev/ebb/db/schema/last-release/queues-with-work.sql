with recursive q (name) as (
  (select j.queue from ebb.job j order by j.queue limit 1)
  union all
  select (select j.queue from ebb.job j where j.queue > q.name order by j.queue limit 1)
  from q
  where q.name is not null
)
select q.name
from q
left join ebb.queue s on s.name = q.name
where q.name is not null
  and not coalesce(s.paused, false)
  and (?::text[] is null or q.name = any (?))
  and exists (
    select from ebb.job j
    where j.queue = q.name
      and j.run_at <= statement_timestamp()
      and j.kind = any (?)
      and (j.id, j.version) not in (
        select l.id, l.version from ebb.leased l))
