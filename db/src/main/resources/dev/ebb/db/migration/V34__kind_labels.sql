-- What jobs of a kind take from their payloads as labels, as those of a queue do.

create table ebb.kind (
  name        text collate "C" primary key check (name ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,62}$'),
  -- JSON Pointers by the labels' names.
  labels_from jsonb not null,
  created_at  timestamptz not null default now()
);

-- Whether a payload has these values in its fields, whose paths have dots between the names. Of a
-- delivery only the body counts: its URL and its headers may hold secrets.
create function ebb.has_fields(payload text, kind text, paths text[], path_values text[])
returns boolean
language plpgsql immutable as $$
declare
  document jsonb;
begin
  if payload is null or not pg_input_is_valid(payload, 'jsonb') then
    return false;
  end if;
  document := payload::jsonb;
  return (
    select bool_and(
      coalesce(ebb.field(document, string_to_array(f.path, '.')) = f.wanted, false)
      and (kind <> 'http' or split_part(f.path, '.', 1) = 'body'))
    from unnest(paths, path_values) f (path, wanted));
exception when statement_too_complex then
  -- A text in the payload may be nested deeper than the payload itself may be.
  return false;
end $$;
