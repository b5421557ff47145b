-- After each migration, in its transaction, on a server older than PostgreSQL 18: has the bodies that
-- look for names whenever they run find what was made for it. PostgreSQL 17 has a
-- uuid_extract_timestamp, and it knows no version 7.
do $$
declare
  function oid;
  made text;
begin
  for function in
    select p.oid
    from pg_proc p
    where p.pronamespace = 'ebb'::regnamespace
      and p.prosrc ~ '(?<![.\w])(uuidv7|uuid_extract_timestamp)\('
  loop
    made := pg_get_functiondef(function);
    made := regexp_replace(made, '(?<![.\w])uuidv7\(', 'ebb.uuidv7(', 'g');
    made := regexp_replace(made, '(?<![.\w])uuid_extract_timestamp\(', 'ebb.made_at(', 'g');
    execute made;
  end loop;
end $$;
