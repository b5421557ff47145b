-- The trace in which a job was submitted, as a traceparent of W3C Trace Context: what runs the job
-- can link to it. Of jobs that were submitted in none it is null, and costs nothing.
alter table ebb.job add column traceparent text;
alter table ebb.dead_letter add column traceparent text;

-- Who submits by SQL names it among the options, and presets as policies: the functions of V58 with
-- these.
alter type ebb.given_job add attribute traceparent text;

-- The policies that have a name without being stored: those of REST, as the rows of jobs keep them.
create function ebb.preset(name text) returns jsonb
language sql immutable as $$
  select (case name
    when 'adyen' then
      '{"jitter":"list","steps":["PT9S","PT18S","PT27S","PT2M","PT5M","PT10M",'
        || '"PT15M","PT30M","PT1H","PT2H","PT4H"'
        || repeat(',"PT8H"', 88)
        || '],"proportion":0,"maxAttempts":100}'
    when 'alipay' then
      '{"jitter":"list","steps":["PT2M","PT10M","PT10M","PT1H","PT2H","PT6H",'
        || '"PT15H"],"proportion":0,"maxAttempts":8}'
    when 'alipay-ask' then
      '{"jitter":"list","steps":["PT5S","PT3S"],"proportion":0,"maxAttempts":1000,'
        || '"deadline":"PT1M7S"}'
    when 'circle' then
      '{"jitter":"list","steps":["PT1S","PT10S","PT30S","PT1M","PT15M","PT1H",'
        || '"PT3H","PT5H","PT6H","PT10H","PT11H"],"proportion":0,"maxAttempts":12}'
    when 'default' then
      '{"jitter":"full","floor":"PT0S","base":"PT10S","factor":2,"cap":"PT6H",'
        || '"maxAttempts":16}'
    when 'ethernet' then
      '{"jitter":"slots","slot":"PT0.0000512S","maxAttempts":16}'
    when 'imps-ask' then
      '{"jitter":"list","steps":["PT10S"],"proportion":0,"maxAttempts":1000,'
        || '"deadline":"PT27S"}'
    when 'juspay' then
      '{"jitter":"list","steps":["PT1M","PT5M","PT5M","PT10M","PT10M","PT10M",'
        || '"PT10M","PT10M","PT1H","PT1H","PT1H","PT1H","PT1H","PT6H","PT6H","PT6H"],'
        || '"proportion":0,"maxAttempts":17}'
    when 'payermax' then
      '{"jitter":"list","steps":["PT30S","PT5M","PT10M","PT1H","PT12H"],'
        || '"proportion":0,"maxAttempts":6}'
    when 'pix-ask' then
      '{"jitter":"none","base":"PT5S","factor":2,"cap":"PT5M","maxAttempts":1000,'
        || '"deadline":"PT24H"}'
    when 'sip' then
      '{"jitter":"none","base":"PT0.5S","factor":2,"cap":"PT4S","maxAttempts":11}'
    when 'square' then
      '{"jitter":"list","steps":["PT1M","PT2M","PT4M","PT8M","PT16M","PT32M"'
        || repeat(',"PT1H"', 71)
        || '],"proportion":0,"maxAttempts":78}'
    when 'standard-webhooks' then
      '{"jitter":"list","steps":["PT5S","PT5M","PT30M","PT2H","PT5H","PT10H",'
        || '"PT14H","PT20H","PT24H"],"proportion":0.1,"maxAttempts":10}'
    when 'svix' then
      '{"jitter":"list","steps":["PT5S","PT5M","PT30M","PT2H","PT5H","PT10H",'
        || '"PT10H"],"proportion":0.2,"maxAttempts":8}'
    when 'wechat' then
      '{"jitter":"list","steps":["PT15S","PT15S","PT30S","PT3M","PT10M","PT20M",'
        || '"PT30M","PT30M","PT30M","PT1H","PT3H","PT3H","PT3H","PT6H","PT6H"],'
        || '"proportion":0,"maxAttempts":16}'
    when 'wechat-ask' then
      '{"jitter":"list","steps":["PT10S","PT10S","PT10S","PT10S","PT10S","PT10S",'
        || '"PT20S","PT20S","PT20S","PT2M","PT2M","PT2M","PT2M"'
        || repeat(',"PT5M"', 11)
        || '],"proportion":0,"maxAttempts":1000,"deadline":"PT1H6M"}'
    when 'wechat-partner' then
      '{"jitter":"list","steps":["PT15S","PT15S","PT30S","PT3M","PT30M","PT30M",'
        || '"PT30M","PT30M","PT1H"],"proportion":0,"maxAttempts":10}'
    when 'wechat-quick-ask' then
      '{"jitter":"list","steps":["PT5S"],"proportion":0,"maxAttempts":1000,'
        || '"deadline":"PT45S"}'
  end)::jsonb
$$;

revoke execute on function ebb.preset(text) from public;

-- The job that these say; AT is the JSON pointer of the job.
create or replace function ebb.given(
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
    options - '{labels, maxAttempts, orderingKey, policy, priority, timeout, traceparent}'::text[]
      = '{}',
    at, 'options',
    'must have no fields but labels, maxAttempts, orderingKey, policy, priority, timeout,'
      || ' traceparent');
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
    'must be the name of a preset or of a stored policy: only a submit over REST may describe one');
  if named is not null then
    job.policy :=
      coalesce(ebb.preset(named), (select p.policy from ebb.policy p where p.name = named));
    perform ebb.require(
      job.policy is not null, at, 'policy', 'must be the name of a preset or of a stored policy');
    job.max_attempts := coalesce(job.max_attempts, (job.policy -> 'maxAttempts')::integer);
  end if;
  job.traceparent := ebb.option(options, at, 'traceparent', 'string', 'must be a string');
  perform ebb.require(
    (job.traceparent ~ '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$')
      is not false,
    at, 'traceparent', 'must be a traceparent of W3C Trace Context, version 00');
  if job.ordering_key is not null then
    job.ordering_number := nextval('ebb.ordering_number');
  end if;
  return job;
end $$;

drop function ebb.rows_of(ebb.given_job[]);

-- The rows of these jobs, with what their queues and kinds say.
create function ebb.rows_of(jobs ebb.given_job[]) returns table (
  id uuid, queue text, kind text, priority smallint, run_at timestamptz, max_attempts integer,
  policy jsonb, unique_key text, timeout_millis integer, ordering_key text, ordering_number bigint,
  labels jsonb, payload_labels text[], destination text, payload text, traceparent text)
language sql stable as $$
  select
    j.id, j.queue, j.kind, j.priority, j.run_at,
    coalesce(j.max_attempts, (q.policy -> 'maxAttempts')::integer, 16),
    j.policy, j.unique_key, j.timeout_millis, j.ordering_key, j.ordering_number,
    case when t.taken is null then j.labels else t.taken || coalesce(j.labels, '{}') end,
    case when t.taken is not null then array(select jsonb_object_keys(t.taken)) end,
    case when j.kind = 'http' then ebb.destination_of(ebb.readable(j.payload)::json, j.queue) end,
    j.payload, j.traceparent
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

revoke execute on function ebb.rows_of(ebb.given_job[]) from public;

-- Stores those of the jobs whose unique key nobody holds, and answers their ids. A row that may
-- conflict costs a second record in the log: only jobs with unique keys pay it.
create or replace function ebb.insert_given(jobs ebb.given_job[], are_unique boolean) returns uuid[]
language plpgsql volatile as $$
declare
  stored uuid[];
begin
  if not are_unique then
    insert into ebb.job (
      id, queue, kind, priority, run_at, max_attempts, policy, unique_key, timeout_millis,
      ordering_key, ordering_number, labels, payload_labels, destination, payload, traceparent)
    select r.* from ebb.rows_of(jobs) r;
    return array(select j.id from unnest(jobs) j);
  end if;
  -- In the order of the keys: two transactions that share some wait for each other, and do not
  -- deadlock.
  with stored as (
    insert into ebb.job (
      id, queue, kind, priority, run_at, max_attempts, policy, unique_key, timeout_millis,
      ordering_key, ordering_number, labels, payload_labels, destination, payload, traceparent)
    select r.* from ebb.rows_of(jobs) r
    order by r.kind collate "C", r.unique_key collate "C", r.id
    on conflict (kind, unique_key) where unique_key is not null do nothing
    returning id
  )
  select coalesce(array_agg(s.id), '{}') into stored from stored s;
  return stored;
end $$;

-- The revision of these functions.
create or replace function ebb.contract() returns integer
language sql immutable
return 2;
