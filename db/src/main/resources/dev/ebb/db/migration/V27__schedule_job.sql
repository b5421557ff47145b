-- The job of a schedule is one document: a job gets new fields without new columns here. No release
-- knows the columns that go.
alter table ebb.schedule add job jsonb;

update ebb.schedule
set job = jsonb_strip_nulls(jsonb_build_object(
  'kind', kind,
  'queue', queue,
  -- A string keeps it to the byte.
  'payload', payload,
  'priority', priority,
  'maxAttempts', max_attempts,
  'policy', policy,
  'uniqueKey', unique_key,
  'timeout', 'PT' || round(timeout_millis / 1000.0, 3) || 'S',
  'labels', coalesce(labels, '{}')));

alter table ebb.schedule
  alter job set not null,
  drop kind,
  drop queue,
  drop payload,
  drop priority,
  drop max_attempts,
  drop policy,
  drop unique_key,
  drop timeout_millis,
  drop labels;
