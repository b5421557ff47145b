select
  set_config('lock_timeout', '250ms', true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('enable_nestloop', 'off', true),
  set_config('enable_mergejoin', 'off', true),
  set_config('jit', 'off', true);
with live as materialized (
  select id, node from ebb.lease where id = any (?) order by id for update
), told as (
  select * from unnest(
    ?::uuid[], ?::integer[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[]
  ) as t (id, version, lease_id, since_start, took, detail)
), done as (
  delete from ebb.job j
  using told t
  left join live l on l.id = t.lease_id
  where j.id = any (?)
    and j.id = t.id
    and j.version = t.version -- fence
    and l.id is not null -- fence
  returning
    j.id, j.queue, j.kind, j.priority, j.run_at, j.created_at, j.unique_key, j.labels,
    j.max_attempts, j.attempt, t.lease_id, t.since_start, t.took, t.detail, l.node
), kept as (
  insert into ebb.history (
    id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt, cancelled, started_at, ended_at, node, detail)
  select
    id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt + 1, false,
    clock_timestamp() - since_start * interval '1 microsecond',
    clock_timestamp() - (since_start - took) * interval '1 microsecond', node, detail
  from done
), ended as (
  delete from ebb.lease l using live where l.id = live.id and l.id = any (?)
)
select id, lease_id
from told
where (select count(*) from done) < (select count(*) from told)
  and (id, lease_id) not in (select id, lease_id from done);
commit
