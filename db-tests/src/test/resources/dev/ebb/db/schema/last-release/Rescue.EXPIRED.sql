with free as materialized (
  select id, cardinality(job_ids) as jobs
  from ebb.lease
  where expires_at < ?
  order by id
  limit ?
  for update skip locked
)
select id
from (
  select
    id, sum(jobs) over (order by id) as jobs, row_number() over (order by id) as place
  from free
) first
where jobs <= ? or place = 1
order by id
