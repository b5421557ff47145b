update ebb.job j
set version = j.version + 1,
  attempt = j.attempt + t.attempts,
  snoozes = j.snoozes + t.snoozes,
  last_delay_micros = coalesce(t.drawn_micros, j.last_delay_micros),
  run_at = coalesce(clock_timestamp() + t.delay_micros * interval '1 microsecond', j.run_at)
from unnest(
  ?::uuid[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::bigint[]
) as t (id, version, attempts, snoozes, delay_micros, drawn_micros)
where j.id = any (?)
  and j.id = t.id
  and j.version = t.version -- fence
