select case
  when exists (select from ebb.dead_letter where id = ?) then 'dead_letter'
  when exists (select from ebb.job where id = ?) then 'job'
  when exists (select from ebb.every_history where id = ? and cancelled) then 'cancelled'
  when exists (select from ebb.every_history where id = ?) then 'completed'
end
