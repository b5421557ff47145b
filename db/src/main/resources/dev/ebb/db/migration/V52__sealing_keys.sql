-- The ids of the keys that sealed a destination's secrets, each once; null where it has none.
create function ebb.sealed_by(destination jsonb) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select string_agg(distinct split_part(sealed, '.', 1), ' ')
  from (
    select jsonb_path_query(destination, '$.signing[*].sealed') #>> '{}'
    union all
    select jsonb_path_query(destination, '$.headers.*.sealed') #>> '{}'
    union all
    select destination #>> '{tls,sealedKey}'
  ) of_it (sealed)
$$;

-- Few differ: so the next one is always found by one step of the index.
create index queue_sealed_by on ebb.queue ((ebb.sealed_by(destination)) collate "C")
where ebb.sealed_by(destination) is not null;

-- The ids of the keys that sealed secrets of destinations.
create function ebb.keys_of_destinations() returns setof text
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive sealed (keys) as (
    (
      select ebb.sealed_by(q.destination) collate "C"
      from ebb.queue q
      where ebb.sealed_by(q.destination) is not null
      order by 1
      limit 1
    )
    union all
    select (
      select ebb.sealed_by(q.destination) collate "C"
      from ebb.queue q
      where ebb.sealed_by(q.destination) is not null
        and ebb.sealed_by(q.destination) collate "C" > s.keys
      order by 1
      limit 1
    )
    from sealed s
    where s.keys is not null
  )
  select distinct key
  from sealed s
  cross join string_to_table(s.keys, ' ') key
$$;

-- The ids of all keys that sealed what is stored.
create function ebb.sealing_keys() returns text[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(distinct key order by key), '{}')
  from (
    select ebb.keys_of_destinations()
    union all
    select split_part(e.sealed, '.', 1) from ebb.export_key e
  ) used (key)
  where key is not null
$$;

-- Those of them that the node has not; null where it does not tell.
alter table ebb.node add column missing_keys text[];
