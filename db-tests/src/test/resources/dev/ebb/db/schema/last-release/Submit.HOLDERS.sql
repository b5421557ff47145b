select
  (select j.id from ebb.job j where j.kind = i.kind and j.unique_key = i.unique_key) as id
from unnest(?::text[], ?::text[]) with ordinality as i (kind, unique_key, place)
order by i.place
