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
  and exists (
    select
    from (
      select j.id, j.version, j.kind, row_number() over () as place
      from (
        select id, version, kind
        from ebb.job j
        where j.queue = q.name
          and j.run_at <= statement_timestamp()
        limit ?
      ) j
    ) due
    where due.place = ?
      or (due.kind = any (?)
        and (due.id, due.version) not in (
          select l.id, l.version from ebb.leased l)))
