-- The same JSON with other characters for those of which PostgreSQL has no text: it cannot look
-- into an object that has such an escape anywhere. U+0000 becomes U+0001, and half a surrogate pair
-- without the other half, U+D800 to U+DFFF, the letter of U+A800 to U+AFFF with its last digits. A
-- whole pair stays: meanwhile its escapes begin with \x.
create or replace function ebb.readable(words text) returns text
language sql immutable
return case
  when words like '%\\u%' and words ~ '\\u(0000|[dD][89a-fA-F])'
    then replace(
      regexp_replace(
        regexp_replace(
          -- The escape of a backslash could seem to begin another, and \x is none.
          replace(replace(replace(words, '\\', '\u005c'), '\x', '\z'), '\u0000', '\u0001'),
          '\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})', '\\x\1\\x\2', 'g'),
        '\\u[dD]([89a-fA-F][0-9a-fA-F]{2})', '\\ua\1', 'g'),
      '\x', '\u')
  else words
end;

-- As in V65, but a field that is unknown is named.
create or replace function ebb.given_object(job json, at text) returns ebb.given_job
language plpgsql volatile as $$
declare
  known constant text[] :=
    '{kind, payload, queue, uniqueKey, runAt, delay, labels, maxAttempts, orderingKey, policy,'
    'priority, timeout, traceparent}';
  fields jsonb;
  run_at text;
  delay text;
  queue text;
begin
  if (json_typeof(job) = 'object') is not true then
    perform ebb.require(false, at, 'job', 'must be an object');
  end if;
  -- The payload stays text: not all that JSON may say fits into jsonb.
  fields := (
    select jsonb_object_agg(f.key, f.value::jsonb) from json_each(job) f where f.key <> 'payload');
  if fields - known <> '{}' then
    perform ebb.require(
      false, at, (select min(f.name) from jsonb_object_keys(fields - known) f (name)),
      'is unknown; allowed are ' || array_to_string(known, ', '));
  end if;
  run_at := ebb.option(fields, at, 'runAt', 'string', 'must be a string');
  if run_at !~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$'
      or not pg_input_is_valid(run_at, 'timestamptz') then
    perform ebb.require(
      false, at, 'runAt', 'must be an ISO-8601 instant such as 2026-01-31T09:00:00Z');
  end if;
  delay := ebb.option(fields, at, 'delay', 'string', 'must be a string');
  if delay is not null and ebb.millis_of(delay) is null then
    perform ebb.require(false, at, 'delay', 'must be an ISO-8601 duration such as PT30S');
  end if;
  queue := ebb.option(fields, at, 'queue', 'string', 'must be a string');
  return ebb.given(
    ebb.option(fields, at, 'kind', 'string', 'must be a string'),
    (job -> 'payload')::text,
    coalesce(queue, 'default'),
    ebb.option(fields, at, 'uniqueKey', 'string', 'must be a string'),
    run_at::timestamptz,
    delay::interval,
    fields - '{kind, queue, uniqueKey, runAt, delay}'::text[],
    at);
end $$;
