with cancelled as (
  delete from ebb.job j
  where j.id = ?
    and (j.id, j.version) not in (
      select l.id, l.version
      from ebb.leased l
      where l.queue = ?)
  returning j.*
)
insert into ebb.history (
  id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt,
  cancelled)
select
  id, queue, kind, priority, run_at, created_at, unique_key, labels, max_attempts, attempt,
  true
from cancelled
