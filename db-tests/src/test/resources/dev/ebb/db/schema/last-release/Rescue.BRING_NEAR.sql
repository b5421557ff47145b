update ebb.lease l
set expires_at = clock_timestamp() + l.length_micros * interval '1 microsecond'
where l.id in (
  select far.id
  from ebb.lease far
  where far.expires_at
    > clock_timestamp() + (far.length_micros + 1000000) * interval '1 microsecond'
  order by far.id
  for update skip locked)
