insert into ebb.limiter as l (
  queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
values (?, ?, ?, ?, ?, ?, ?)
on conflict (queue) do update
set coldness = excluded.coldness, next_free_at = excluded.next_free_at,
  cut_ceiling = excluded.cut_ceiling, cut_factor = excluded.cut_factor,
  cut_at = excluded.cut_at, cut_quiet_since = excluded.cut_quiet_since
returning set_config('synchronous_commit', ?, true)
