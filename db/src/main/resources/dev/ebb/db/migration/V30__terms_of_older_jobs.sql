-- The terms of jobs that are there already. It takes no locks: jobs that came since V29 have theirs,
-- and a term may be there twice.
insert into ebb.term_kept (term, id)
select t.term, j.id
from (
  select id, unique_key, labels from ebb.job
  union all
  select id, unique_key, labels from ebb.dead_letter
  union all
  select id, unique_key, labels from ebb.every_history
) j
cross join lateral ebb.terms(j.unique_key, j.labels) t (term)
where num_nonnulls(j.unique_key, j.labels) > 0;
