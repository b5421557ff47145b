update ebb.job j
set version = j.version + 1,
  attempt = j.attempt + t.attempts,
  polls = j.polls + t.polls,
  lost = case when t.attempts + t.polls > 0 then t.lost else j.lost end,
  last_delay_micros = coalesce(t.delay_micros, j.last_delay_micros),
  run_at = coalesce(clock_timestamp() + t.delay_micros * interval '1 microsecond', j.run_at)
from unnest(
  ?::uuid[], ?::integer[], ?::integer[], ?::integer[], ?::boolean[], ?::bigint[]
) as t (id, version, attempts, polls, lost, delay_micros)
where j.id = any (?)
  and j.id = t.id
  and j.version = t.version -- fence
