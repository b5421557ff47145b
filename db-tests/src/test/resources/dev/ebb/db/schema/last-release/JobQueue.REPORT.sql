update ebb.lease
set progress = coalesce(progress, '{}') || ?::jsonb
where id in (select id from ebb.lease where id = ? for update skip locked)
