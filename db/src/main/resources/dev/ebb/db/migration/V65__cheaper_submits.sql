-- Functions of V58 and V64 that cost less: a rule that holds is an expression, which PL/pgSQL
-- evaluates by itself, where "perform" runs a query; and a single job needs none of what many do.

create function ebb.is_key(words text) returns boolean
language sql immutable
return ebb.characters(words) between 1 and 200;

-- A whole number among the options; null if it is absent.
create or replace function ebb.number_option(
  options jsonb, at text, field text, lowest integer, highest integer
) returns integer
language plpgsql stable as $$
declare
  given text := ebb.option(options, at, field, 'number', 'must be a whole number');
begin
  if given !~ '^-?\d+$' then
    perform ebb.require(false, at, field, 'must be a whole number');
  elsif given::numeric not between lowest and highest then
    perform ebb.require(false, at, field, format('must be between %s and %s', lowest, highest));
  end if;
  return given::integer;
end $$;

-- The labels among the options.
create or replace function ebb.labels_option(options jsonb, at text) returns jsonb
language plpgsql stable as $$
declare
  given jsonb := nullif(options -> 'labels', 'null');
  label record;
begin
  if given is null or given = '{}' then
    return null;
  elsif jsonb_typeof(given) <> 'object' then
    perform ebb.require(false, at, 'labels', 'must be an object of names and values');
  elsif jsonb_array_length(jsonb_path_query_array(given, '$.keyvalue()')) > 16 then
    perform ebb.require(false, at, 'labels', 'must be at most 16 labels');
  end if;
  for label in select e.key as name, e.value from jsonb_each(given) e loop
    if label.name !~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$' then
      perform ebb.require(
        false, at, 'labels',
        'must have names of a letter followed by at most 62 letters, digits, ''_'', ''.'' or ''-''');
    elsif jsonb_typeof(label.value) <> 'string' then
      perform ebb.require(false, at, 'labels', 'must have strings as values');
    elsif ebb.characters(label.value #>> '{}') > 200 then
      perform ebb.require(
        false, at, 'labels.' || label.name,
        'must be at most 200 characters without NUL or lone surrogates');
    end if;
  end loop;
  return given;
end $$;

-- The job that these say; AT is the JSON pointer of the job.
create or replace function ebb.given(
  kind text, payload text, queue text, unique_key text, run_at timestamptz, delay interval,
  options jsonb, at text
) returns ebb.given_job
language plpgsql volatile as $$
declare
  no_key constant text := 'must be 1 to 200 characters without NUL or lone surrogates';
  job ebb.given_job;
  named text;
  timeout text;
begin
  if (kind ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,62}$') is not true then
    perform ebb.require(
      false, at, 'kind',
      'must be a letter followed by at most 62 letters, digits, ''_'', ''.'', '':'' or ''-''');
  elsif (queue ~ '^[a-z0-9][a-z0-9_.-]{0,62}$') is not true then
    perform ebb.require(
      false, at, 'queue',
      'must be a lower-case letter or digit followed by at most 62 of those, ''_'', ''.'' or ''-''');
  elsif (payload <> '') is not true then
    perform ebb.require(false, at, 'payload', 'must be JSON text');
  elsif octet_length(payload) > 65536 then
    perform ebb.require(false, at, 'payload', 'must be at most 65536 bytes of UTF-8');
  elsif not ebb.is_payload(payload) then
    perform ebb.require(false, at, 'payload', 'must be one JSON value without duplicate keys');
  elsif num_nonnulls(run_at, delay) = 2 then
    perform ebb.require(false, at, 'delay', 'must not be given together with runAt');
  elsif run_at not between '2000-01-01 00:00:00Z' and '9999-12-31 23:59:59Z' then
    perform ebb.require(false, at, 'runAt', 'must lie in the years 2000 to 9999');
  elsif extract(epoch from delay) not between 0 and 3650 * 86400.0 then
    perform ebb.require(false, at, 'delay', 'must be between PT0S and P3650D');
  elsif not ebb.is_key(unique_key) then
    perform ebb.require(false, at, 'uniqueKey', no_key);
  end if;
  if kind = 'http' then
    if json_typeof(ebb.readable(payload)::json) <> 'object' then
      perform ebb.require(false, at, 'payload', 'must be an object');
    elsif ebb.readable(payload)::json ->> 'url' is null then
      perform from ebb.queue q where q.name = queue and q.destination is not null;
      if not found then
        perform ebb.require(
          false, at, 'payload.url', format('must be given: the queue %s is no destination', queue));
      end if;
    end if;
  end if;

  job.id := uuidv7();
  job.kind := kind;
  job.payload := payload;
  job.queue := queue;
  job.unique_key := unique_key;
  job.run_at := coalesce(run_at, now() + delay, now());
  job.priority := 5;
  if options is null or options = '{}' then
    return job;
  end if;

  if jsonb_typeof(options) <> 'object' then
    perform ebb.require(false, at, 'options', 'must be an object');
  elsif '{}' <>
      options - '{labels, maxAttempts, orderingKey, policy, priority, timeout, traceparent}'::text[]
  then
    perform ebb.require(
      false, at, 'options',
      'must have no fields but labels, maxAttempts, orderingKey, policy, priority, timeout,'
        || ' traceparent');
  end if;
  job.priority := coalesce(ebb.number_option(options, at, 'priority', 0, 9), job.priority);
  job.max_attempts := ebb.number_option(options, at, 'maxAttempts', 1, 1000);
  job.labels := ebb.labels_option(options, at);
  job.ordering_key := ebb.option(options, at, 'orderingKey', 'string', 'must be a string');
  if not ebb.is_key(job.ordering_key) then
    perform ebb.require(false, at, 'orderingKey', no_key);
  end if;
  timeout := ebb.option(options, at, 'timeout', 'string', 'must be a string');
  if timeout is not null then
    job.timeout_millis := least(ebb.millis_of(timeout), 86400001);
    if ebb.millis_of(timeout) is null then
      perform ebb.require(false, at, 'timeout', 'must be an ISO-8601 duration such as PT30S');
    elsif job.timeout_millis not between 1 and 86400000 then
      perform ebb.require(false, at, 'timeout', 'must be between PT0.001S and P1D');
    end if;
  end if;
  named := ebb.option(
    options, at, 'policy', 'string',
    'must be the name of a preset or of a stored policy: only a submit over REST may describe one');
  if named is not null then
    job.policy :=
      coalesce(ebb.preset(named), (select p.policy from ebb.policy p where p.name = named));
    if job.policy is null then
      perform ebb.require(
        false, at, 'policy', 'must be the name of a preset or of a stored policy');
    end if;
    job.max_attempts := coalesce(job.max_attempts, (job.policy -> 'maxAttempts')::integer);
  end if;
  job.traceparent := ebb.option(options, at, 'traceparent', 'string', 'must be a string');
  if job.traceparent !~ '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$' then
    perform ebb.require(
      false, at, 'traceparent', 'must be a traceparent of W3C Trace Context, version 00');
  end if;
  if job.ordering_key is not null then
    job.ordering_number := nextval('ebb.ordering_number');
  end if;
  return job;
end $$;

-- The job that an object with the fields of a submit over REST says.
create or replace function ebb.given_object(job json, at text) returns ebb.given_job
language plpgsql volatile as $$
declare
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

-- Submits a job, in the caller's transaction.
--
-- PAYLOAD is JSON text of at most 64 KiB, kept to the byte. While a job of this kind with the same
-- unique key has not ended, no second one is stored: then the answer is that job's id, and
-- DUPLICATE. OPTIONS may have labels, maxAttempts, orderingKey, policy (by name), priority,
-- timeout (ISO-8601) and traceparent, as over REST. Waits two seconds for a unique key that another
-- open transaction has, and then fails with 55P03.
create or replace function ebb.submit(
  kind text,
  payload text,
  queue text default 'default',
  unique_key text default null,
  run_at timestamptz default null,
  delay interval default null,
  options jsonb default '{}'
) returns table (id uuid, duplicate boolean)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
set timezone = 'UTC'
set plan_cache_mode = force_generic_plan
as $$
declare
  job ebb.given_job := ebb.given(kind, payload, queue, unique_key, run_at, delay, options, '');
begin
  -- As in store_given, a holder may end between two statements.
  for try in 1 .. 10 loop
    id := job.id;
    duplicate := cardinality(ebb.insert_given(array[job], job.unique_key is not null)) = 0;
    if not duplicate then
      insert into ebb.tally (counter, queue, kind, number) values (1, job.queue, job.kind, 1);
      perform pg_notify('ebb', job.queue);
      return next;
      return;
    end if;
    select h.id into id
    from ebb.job h
    where h.kind = job.kind and h.unique_key = job.unique_key;
    if found then
      return next;
      return;
    end if;
  end loop;
  raise exception using
    errcode = '40001',
    message = format('the holder of unique key %s is not visible here', job.unique_key);
end $$;

drop function ebb.require_key(text, text, text);

revoke execute on function ebb.is_key(text) from public;
