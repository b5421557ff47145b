-- What the statements of nodes would otherwise ask of functions that not every server has, from
-- PostgreSQL 15 on. Both vanish from a plan: the planner puts their bodies in their place.

-- When an id was made that begins with the time, be it of version 7 or 8.
create function ebb.made_at(id uuid) returns timestamptz
language sql immutable parallel safe
return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);

-- Whether the text can be read as jsonb. Where that is asked by catching an error, it is not parallel
-- safe.
create function ebb.is_jsonb(words text) returns boolean
language sql stable
return pg_input_is_valid(words, 'jsonb');
