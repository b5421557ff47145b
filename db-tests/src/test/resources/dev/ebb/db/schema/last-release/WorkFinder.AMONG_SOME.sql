select q.name
from unnest(?::text[]) as q (name)
left join ebb.queue s on s.name = q.name
where not coalesce(s.paused, false)
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
