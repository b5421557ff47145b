-- The terms of the ordering keys of jobs that are there already. It takes no locks: jobs that came
-- since V49 have theirs, and a term may be there twice.
insert into ebb.term_kept (term, id)
select ebb.term('ordering', j.ordering_key), j.id
from (
  select id, ordering_key from ebb.job
  union all
  select id, ordering_key from ebb.dead_letter
  union all
  select id, ordering_key from ebb.every_history
) j
where j.ordering_key is not null;
