-- How applications in any language submit within a transaction of their own:
--
--   begin;
--   insert into payment ...;
--   select id, duplicate from ebb.submit('paid', '{"payment": 7}', queue => 'merchants');
--   commit;
--
-- The rules, their words, the rows and what is counted are those of a submit over REST. A broken
-- rule is an error of SQLSTATE EB001: its message is "FIELD must ...", its detail the JSON pointer
-- of the field. Like every error it ends the caller's transaction.
--
-- The signatures of submit, submit_many and contract stay as they are: what is new is an option.

-- Only submit and submit_many pin the search path: the others are theirs alone to call.

-- A job on its way into ebb.job.
create type ebb.given_job as (
  id              uuid,
  kind            text,
  payload         text,
  queue           text,
  unique_key      text,
  run_at          timestamptz,
  priority        smallint,
  max_attempts    integer,
  policy          jsonb,
  timeout_millis  integer,
  labels          jsonb,
  ordering_key    text,
  ordering_number bigint
);

create function ebb.require(holds boolean, at text, field text, rule text) returns void
language plpgsql stable as $$
begin
  if holds is not true then
    raise exception using
      errcode = 'EB001',
      message = field || ' ' || rule,
      detail = at || '/' || replace(field, '.', '/');
  end if;
end $$;

-- As Java counts characters: those beyond the basic plane are two.
create function ebb.characters(words text) returns integer
language sql immutable
return char_length(words) + char_length(regexp_replace(words, '[\u0001-\uFFFF]', '', 'g'));

-- The same JSON with other characters for those of which PostgreSQL has no text: it cannot look
-- into an object that has such an escape anywhere.
create function ebb.readable(words text) returns text
language sql immutable
return case
  when words like '%\\u%'
    then regexp_replace(words, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\u0001', 'g')
  else words
end;

-- Whether the text is one JSON value that every part of Ebb can read: none is nested deeper than
-- 500 levels, and no number has more than 1,000 characters.
create function ebb.is_payload(payload text) returns boolean
language plpgsql stable as $$
declare
  bare text;
  sign text;
  depth integer := 0;
begin
  if not (ebb.readable(payload) is json with unique keys) then
    return false;
  end if;
  if octet_length(payload) <= 1000 then
    return true;
  end if;
  bare := regexp_replace(payload, '"(?:[^"\\]|\\.)*"', '', 'g');
  if bare ~ '(?:[-+.0-9eE]{200}){5}[-+.0-9eE]' then
    return false;
  end if;
  bare := regexp_replace(bare, '[^][{}]+', '', 'g');
  if length(bare) <= 1000 then
    return true;
  end if;
  foreach sign in array string_to_array(bare, null) loop
    depth := depth + case when sign in ('[', '{') then 1 else -1 end;
    if depth > 500 then
      return false;
    end if;
  end loop;
  return true;
end $$;

-- The milliseconds of an ISO-8601 duration of days and times; null for another text.
create function ebb.millis_of(duration text) returns bigint
language sql immutable
return case
  when duration ~ ('^P(?=.)(?:\d{1,6}D)?'
    || '(?:T(?=.)(?:\d{1,7}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?$')
    then floor(extract(epoch from duration::interval) * 1000)::bigint
end;

-- An option that has this type; null if it is absent.
create function ebb.option(options jsonb, at text, field text, type text, rule text) returns text
language plpgsql stable as $$
begin
  if coalesce(jsonb_typeof(options -> field), 'null') not in (type, 'null') then
    perform ebb.require(false, at, field, rule);
  end if;
  return options ->> field;
end $$;

-- A whole number among the options; null if it is absent.
create function ebb.number_option(
  options jsonb, at text, field text, lowest integer, highest integer
) returns integer
language plpgsql stable as $$
declare
  given text := ebb.option(options, at, field, 'number', 'must be a whole number');
begin
  if given is null then
    return null;
  end if;
  perform ebb.require(given ~ '^-?\d+$', at, field, 'must be a whole number');
  perform ebb.require(
    given::numeric between lowest and highest, at, field,
    format('must be between %s and %s', lowest, highest));
  return given::integer;
end $$;

create function ebb.require_key(key text, at text, field text) returns void
language plpgsql stable as $$
begin
  if ebb.characters(key) not between 1 and 200 then
    perform ebb.require(
      false, at, field, 'must be 1 to 200 characters without NUL or lone surrogates');
  end if;
end $$;

-- The labels among the options.
create function ebb.labels_option(options jsonb, at text) returns jsonb
language plpgsql stable as $$
declare
  given jsonb := nullif(options -> 'labels', 'null');
  label record;
begin
  if given is null then
    return null;
  end if;
  perform ebb.require(
    jsonb_typeof(given) = 'object', at, 'labels', 'must be an object of names and values');
  perform ebb.require(
    (select count(*) from jsonb_object_keys(given)) <= 16, at, 'labels',
    'must be at most 16 labels');
  for label in select e.key as name, e.value from jsonb_each(given) e loop
    perform ebb.require(
      label.name ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$', at, 'labels',
      'must have names of a letter followed by at most 62 letters, digits, ''_'', ''.'' or ''-''');
    perform ebb.require(
      jsonb_typeof(label.value) = 'string', at, 'labels', 'must have strings as values');
    perform ebb.require(
      ebb.characters(label.value #>> '{}') <= 200, at, 'labels.' || label.name,
      'must be at most 200 characters without NUL or lone surrogates');
  end loop;
  return nullif(given, '{}');
end $$;

-- The job that these say; AT is the JSON pointer of the job.
create function ebb.given(
  kind text, payload text, queue text, unique_key text, run_at timestamptz, delay interval,
  options jsonb, at text
) returns ebb.given_job
language plpgsql volatile as $$
declare
  job ebb.given_job;
  named text;
  timeout text;
begin
  perform ebb.require(
    kind ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,62}$', at, 'kind',
    'must be a letter followed by at most 62 letters, digits, ''_'', ''.'', '':'' or ''-''');
  perform ebb.require(
    queue ~ '^[a-z0-9][a-z0-9_.-]{0,62}$', at, 'queue',
    'must be a lower-case letter or digit followed by at most 62 of those, ''_'', ''.'' or ''-''');
  perform ebb.require(payload <> '', at, 'payload', 'must be JSON text');
  perform ebb.require(
    octet_length(payload) <= 65536, at, 'payload', 'must be at most 65536 bytes of UTF-8');
  perform ebb.require(
    ebb.is_payload(payload), at, 'payload', 'must be one JSON value without duplicate keys');
  perform ebb.require(
    num_nonnulls(run_at, delay) < 2, at, 'delay', 'must not be given together with runAt');
  perform ebb.require(
    (run_at between '2000-01-01 00:00:00Z' and '9999-12-31 23:59:59Z') is not false, at, 'runAt',
    'must lie in the years 2000 to 9999');
  perform ebb.require(
    (extract(epoch from delay) between 0 and 3650 * 86400.0) is not false, at, 'delay',
    'must be between PT0S and P3650D');
  perform ebb.require_key(unique_key, at, 'uniqueKey');
  if kind = 'http' then
    perform ebb.require(
      json_typeof(ebb.readable(payload)::json) = 'object', at, 'payload', 'must be an object');
    perform ebb.require(
      ebb.readable(payload)::json ->> 'url' is not null
        or exists (select from ebb.queue q where q.name = queue and q.destination is not null),
      at, 'payload.url', format('must be given: the queue %s is no destination', queue));
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

  perform ebb.require(jsonb_typeof(options) = 'object', at, 'options', 'must be an object');
  perform ebb.require(
    options - '{labels, maxAttempts, orderingKey, policy, priority, timeout}'::text[] = '{}', at,
    'options',
    'must have no fields but labels, maxAttempts, orderingKey, policy, priority, timeout');
  job.priority := coalesce(ebb.number_option(options, at, 'priority', 0, 9), job.priority);
  job.max_attempts := ebb.number_option(options, at, 'maxAttempts', 1, 1000);
  job.labels := ebb.labels_option(options, at);
  job.ordering_key := ebb.option(options, at, 'orderingKey', 'string', 'must be a string');
  perform ebb.require_key(job.ordering_key, at, 'orderingKey');
  timeout := ebb.option(options, at, 'timeout', 'string', 'must be a string');
  if timeout is not null then
    job.timeout_millis := least(ebb.millis_of(timeout), 86400001);
    perform ebb.require(
      job.timeout_millis is not null, at, 'timeout', 'must be an ISO-8601 duration such as PT30S');
    perform ebb.require(
      job.timeout_millis between 1 and 86400000, at, 'timeout',
      'must be between PT0.001S and P1D');
  end if;
  named := ebb.option(
    options, at, 'policy', 'string',
    'must be the name of a stored policy: only a submit over REST may describe one');
  if named is not null then
    job.policy := (select p.policy from ebb.policy p where p.name = named);
    perform ebb.require(
      job.policy is not null, at, 'policy', 'must be the name of a stored policy');
    job.max_attempts := coalesce(job.max_attempts, (job.policy -> 'maxAttempts')::integer);
  end if;
  if job.ordering_key is not null then
    job.ordering_number := nextval('ebb.ordering_number');
  end if;
  return job;
end $$;

-- The job that an object with the fields of a submit over REST says.
create function ebb.given_object(job json, at text) returns ebb.given_job
language plpgsql volatile as $$
declare
  fields jsonb;
  run_at text;
  delay text;
  queue text;
begin
  perform ebb.require(json_typeof(job) = 'object', at, 'job', 'must be an object');
  -- The payload stays text: not all that JSON may say fits into jsonb.
  fields := (
    select jsonb_object_agg(f.key, f.value::jsonb) from json_each(job) f where f.key <> 'payload');
  run_at := ebb.option(fields, at, 'runAt', 'string', 'must be a string');
  perform ebb.require(
    run_at is null
      or (run_at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$'
        and pg_input_is_valid(run_at, 'timestamptz')),
    at, 'runAt', 'must be an ISO-8601 instant such as 2026-01-31T09:00:00Z');
  delay := ebb.option(fields, at, 'delay', 'string', 'must be a string');
  perform ebb.require(
    delay is null or ebb.millis_of(delay) is not null, at, 'delay',
    'must be an ISO-8601 duration such as PT30S');
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

-- The host to which a delivery goes, with its port unless that is the scheme's own, or the queue if
-- its payload has no URL; null where the URL's host is not a plain name or IPv4 address.
create function ebb.destination_of(payload json, queue text) returns text
language sql immutable
return case
  when payload ->> 'url' is null then queue
  else (
    select lower(u.part[2]) || coalesce(
      ':' || nullif(u.part[3], case lower(u.part[1]) when 'https' then '443' else '80' end), '')
    from regexp_match(
      payload ->> 'url',
      '^(https?)://([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::([1-9]\d{0,4}))?(?:[/?][!-~]*)?$',
      'i') u (part))
end;

-- The rows of these jobs, with what their queues and kinds say.
create function ebb.rows_of(jobs ebb.given_job[]) returns table (
  id uuid, queue text, kind text, priority smallint, run_at timestamptz, max_attempts integer,
  policy jsonb, unique_key text, timeout_millis integer, ordering_key text, ordering_number bigint,
  labels jsonb, payload_labels text[], destination text, payload text)
language sql stable as $$
  select
    j.id, j.queue, j.kind, j.priority, j.run_at,
    coalesce(j.max_attempts, (q.policy -> 'maxAttempts')::integer, 16),
    j.policy, j.unique_key, j.timeout_millis, j.ordering_key, j.ordering_number,
    case when t.taken is null then j.labels else t.taken || coalesce(j.labels, '{}') end,
    case when t.taken is not null then array(select jsonb_object_keys(t.taken)) end,
    case when j.kind = 'http' then ebb.destination_of(ebb.readable(j.payload)::json, j.queue) end,
    j.payload
  from unnest(jobs) j
  left join ebb.queue q on q.name = j.queue
  left join ebb.kind k on k.name = j.kind
  cross join lateral (
    select
      case when num_nonnulls(q.labels_from, k.labels_from) > 0
        then ebb.labels_from(
          coalesce(k.labels_from || q.labels_from, q.labels_from, k.labels_from),
          j.payload,
          coalesce(j.labels, '{}'))
      end as taken
    offset 0
  ) t
$$;

-- Stores those of the jobs whose unique key nobody holds, and answers their ids. A row that may
-- conflict costs a second record in the log: only jobs with unique keys pay it.
create function ebb.insert_given(jobs ebb.given_job[], are_unique boolean) returns uuid[]
language plpgsql volatile as $$
declare
  stored uuid[];
begin
  if not are_unique then
    insert into ebb.job (
      id, queue, kind, priority, run_at, max_attempts, policy, unique_key, timeout_millis,
      ordering_key, ordering_number, labels, payload_labels, destination, payload)
    select r.* from ebb.rows_of(jobs) r;
    return array(select j.id from unnest(jobs) j);
  end if;
  -- In the order of the keys: two transactions that share some wait for each other, and do not
  -- deadlock.
  with stored as (
    insert into ebb.job (
      id, queue, kind, priority, run_at, max_attempts, policy, unique_key, timeout_millis,
      ordering_key, ordering_number, labels, payload_labels, destination, payload)
    select r.* from ebb.rows_of(jobs) r
    order by r.kind collate "C", r.unique_key collate "C", r.id
    on conflict (kind, unique_key) where unique_key is not null do nothing
    returning id
  )
  select coalesce(array_agg(s.id), '{}') into stored from stored s;
  return stored;
end $$;

-- Stores the jobs; the answers stand in their order.
create function ebb.store_given(jobs ebb.given_job[]) returns table (id uuid, duplicate boolean)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  stored uuid[] := '{}';
  holders jsonb := '{}';
  given ebb.given_job[];
begin
  given := array(select j from unnest(jobs) j where j.unique_key is null);
  if cardinality(given) > 0 then
    stored := ebb.insert_given(given, false);
  end if;
  given := array(select j from unnest(jobs) j where j.unique_key is not null);
  -- A holder may end between two statements: then its key is free.
  for try in 1 .. 10 loop
    exit when cardinality(given) = 0;
    stored := stored || ebb.insert_given(given, true);
    holders := holders || (
      select coalesce(jsonb_object_agg(g.id, h.id), '{}')
      from unnest(given) g
      join ebb.job h on h.kind = g.kind and h.unique_key = g.unique_key
      where g.id <> all (stored));
    given := array(
      select g from unnest(given) g where g.id <> all (stored) and not holders ? g.id::text);
  end loop;
  if cardinality(given) > 0 then
    raise exception using
      errcode = '40001',
      message = format('the holder of unique key %s is not visible here', given[1].unique_key);
  end if;

  insert into ebb.tally (counter, queue, kind, number)
  select 1, j.queue, j.kind, count(*)
  from unnest(jobs) j
  where j.id = any (stored)
  group by j.queue, j.kind;
  -- PostgreSQL sends each text once in a transaction.
  perform pg_notify('ebb', string_agg(q.name, ','))
  from (
    select j.queue as name, row_number() over (order by j.queue) / 100 as part
    from unnest(jobs) j
    where j.id = any (stored)
    group by j.queue
  ) q
  group by q.part;

  return query
  select coalesce((holders ->> j.id::text)::uuid, j.id), holders ? j.id::text
  from unnest(jobs) with ordinality as j
  order by j.ordinality;
end $$;

-- Submits a job, in the caller's transaction.
--
-- PAYLOAD is JSON text of at most 64 KiB, kept to the byte. While a job of this kind with the same
-- unique key has not ended, no second one is stored: then the answer is that job's id, and
-- DUPLICATE. OPTIONS may have labels, maxAttempts, orderingKey, policy (by name), priority and
-- timeout (ISO-8601), as over REST. Waits two seconds for a unique key that another open
-- transaction has, and then fails with 55P03.
create function ebb.submit(
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
begin
  return query
  select *
  from ebb.store_given(
    array[ebb.given(kind, payload, queue, unique_key, run_at, delay, options, '')]);
end $$;

-- Submits up to 1,000 jobs, in the caller's transaction: all of them, or none.
--
-- JOBS is an array of objects with the fields of a job as over REST; the answers stand in its
-- order. PostgreSQL cannot take a payload with the escape \u0000, or with half a surrogate pair, out
-- of an object: submit can.
create function ebb.submit_many(jobs json) returns table (id uuid, duplicate boolean)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
set timezone = 'UTC'
set plan_cache_mode = force_generic_plan
as $$
begin
  perform ebb.require(
    jobs is json array with unique keys, '', 'jobs', 'must be an array, without duplicate keys');
  perform ebb.require(json_array_length(jobs) <= 1000, '', 'jobs', 'must be at most 1000');
  return query
  select *
  from ebb.store_given(array(
    select ebb.given_object(j.value, '/' || (j.place - 1))
    from json_array_elements(jobs) with ordinality as j (value, place)
    order by j.place));
end $$;

-- The revision of these functions.
create function ebb.contract() returns integer
language sql immutable
return 1;

-- Whoever may submit is told by name: ./ebb grant-submit ROLE.
do $$
declare
  made record;
begin
  for made in
    select p.oid::regprocedure as signature
    from pg_proc p
    where p.pronamespace = 'ebb'::regnamespace
      and p.proname in (
        'require', 'characters', 'readable', 'is_payload', 'millis_of', 'option', 'number_option',
        'require_key', 'labels_option', 'given', 'given_object', 'destination_of', 'rows_of',
        'insert_given', 'store_given', 'submit', 'submit_many', 'contract')
  loop
    execute format('revoke execute on function %s from public', made.signature);
  end loop;
end $$;
