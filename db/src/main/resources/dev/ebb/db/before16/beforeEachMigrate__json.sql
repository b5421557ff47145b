-- Before each migration, in its transaction, on PostgreSQL 15: makes what it lacks, in the schema
-- where migrations look for names after pg_catalog. None of it is parallel safe: a block that catches
-- errors is not.

-- Whether the text is a value of the type; for the types that migrations name.
create or replace function ebb.pg_input_is_valid(words text, type text) returns boolean
language plpgsql stable strict as $$
begin
  case type
    when 'jsonb' then perform words::jsonb;
    when 'timestamptz' then perform words::timestamptz;
  end case;
  return true;
exception when data_exception or program_limit_exceeded then
  return false;
end $$;

-- Whether the text is JSON without duplicate keys. As jsonb it has lost the duplicates: then it has
-- fewer members, each of which has the only colon that stands in no string. Exponents are left out:
-- jsonb cannot hold all of them.
create or replace function ebb.is_unique_json(words text) returns boolean
language plpgsql immutable strict as $$
declare
  strings constant text := '("(?:[^"\\]|\\.)*")';
  plain text;
begin
  perform words::json;
  plain := regexp_replace(
    ebb.readable(words), strings || '|([0-9])[eE][-+]?[0-9]+', '\1\2', 'g');
  return length(regexp_replace(plain, strings || '|[^:]', '', 'g'))
    = length(regexp_replace(plain::jsonb::text, strings || '|[^:]', '', 'g'));
exception when data_exception or program_limit_exceeded then
  return false;
end $$;

-- Bodies that it cannot read are rewritten after the migration.
set local check_function_bodies = off;
