select
  c.now, min(l.expires_at) as first,
  coalesce(
    bool_or(l.expires_at > c.now + (l.length_micros + 1000000) * interval '1 microsecond'),
    false) as some_too_far
from (select clock_timestamp() as now) c
left join ebb.lease l on true
group by c.now
