select number, node, started_at, ended_at, outcome, failure_reason, failure, detail
from ebb.attempt
where job_id = ?
union all
select
  attempt, node, started_at, ended_at,
  case when cancelled then 'cancelled' else 'completed' end, null, null, detail
from ebb.history
where id = ? and started_at is not null
union all
select j.attempt + 1, l.node, l.claimed_at, null, null, null, null, null
from ebb.job j
join ebb.leased l on (l.queue, l.id, l.version) = (j.queue, j.id, j.version)
where j.id = ?
order by 3
