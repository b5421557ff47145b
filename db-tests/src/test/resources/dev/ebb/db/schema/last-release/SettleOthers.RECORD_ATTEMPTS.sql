insert into ebb.attempt (
  job_id, number, outcome, failure_reason, failure, started_at, ended_at, node, detail)
select
  id, number, outcome, failure_reason, failure,
  clock_timestamp() - since_start * interval '1 microsecond',
  clock_timestamp() - (since_start - took) * interval '1 microsecond', node, detail
from unnest(
  ?::uuid[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
  ?::text[], ?::text[]
) as t (id, number, outcome, failure_reason, failure, since_start, took, node, detail)
