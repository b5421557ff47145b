update ebb.lease
set progress = coalesce(progress, '{}') || ?::jsonb
where id = ?
