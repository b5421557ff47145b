select
  j.id, j.version, l.id as lease_id, j.kind, j.priority,
  -- Nobody will run it here: the payload stays where it is.
  '' as payload, 0 as payload_bytes, j.attempt, j.max_attempts, j.snoozes,
  j.last_delay_micros, j.timeout_millis, j.cancel_requested,
  coalesce(j.redriven_at, j.created_at) as budget_from,
  j.policy::text, q.policy::text as queue_policy,
  l.node, l.queue,
  (extract(epoch from clock_timestamp() - l.claimed_at) * 1000000)::bigint as since_claim,
  clock_timestamp() as now
from ebb.lease l
cross join unnest(l.job_ids, l.versions) as named (id, version)
join ebb.job j on j.id = named.id and j.version = named.version
left join ebb.queue q on q.name = l.queue
where l.id = any (?)
