-- Before each migration, in its transaction, on a server older than PostgreSQL 18: makes what it
-- lacks, in the schema where migrations look for names after pg_catalog.

-- As that of PostgreSQL 18: milliseconds, their fraction in 12 bits, and random bits. It returns
-- after its microsecond, so that in a session each is greater than the one before.
create or replace function ebb.uuidv7() returns uuid
language plpgsql volatile parallel safe as $$
declare
  at timestamptz := clock_timestamp();
  micros bigint := extract(epoch from at) * 1000000;
begin
  while clock_timestamp() = at loop
  end loop;
  return encode(
    substring(int8send(micros / 1000) from 3)
      || int2send((28672 + micros % 1000 * 4096 / 1000)::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9),
    'hex')::uuid;
end $$;
