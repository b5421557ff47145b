select
  set_config('lock_timeout', '250ms', true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('jit', 'off', true);
with live as materialized (
  select id from ebb.lease where id = any (?) order by id for update
)
select j.id, t.lease_id, j.cancel_requested
from unnest(?::uuid[], ?::integer[], ?::bigint[]) as t (id, version, lease_id)
join ebb.job j on j.id = t.id
where j.id = any (?)
  and j.version = t.version -- fence
  and t.lease_id in (select id from live) -- fence
order by j.id
for update of j
