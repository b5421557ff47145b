with every as (
  select
    started_at, coalesce(ended_at, 'infinity') as until, ended_at, number, node, outcome,
    failure_reason, failure, detail
  from ebb.every_attempt
  where job_id = ?
  union all
  select
    started_at, coalesce(ended_at, 'infinity'), ended_at, attempt, node,
    case when cancelled then 'cancelled' else 'completed' end, null, null, detail
  from ebb.every_history
  where id = ? and started_at is not null
  union all
  select l.claimed_at, 'infinity', null, j.attempt + 1, l.node, null, null, null, null
  from ebb.job j
  join ebb.leased l on (l.queue, l.id, l.version) = (j.queue, j.id, j.version)
  where j.id = ?
), found as (
  select *
  from every
  where (started_at, until) > (
    coalesce(?::timestamptz, '-infinity'), coalesce(?::timestamptz, 'infinity'))
  order by started_at, until
  limit ?
), placed as (
  select
    *,
    row_number() over places as place,
    count(*) over () as candidates,
    sum(coalesce(octet_length(detail), 0)) over places - coalesce(octet_length(detail), 0)
      as bytes_before
  from found
  window places as (order by started_at, until rows unbounded preceding)
)
select
  number, node, started_at, ended_at, outcome, failure_reason, failure, detail,
  place < candidates as has_next
from placed
where place = 1 or (place <= ? and bytes_before < ?)
order by place
