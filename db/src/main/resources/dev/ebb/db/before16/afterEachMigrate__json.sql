-- After each migration, in its transaction, on PostgreSQL 15: has the bodies that are read whenever
-- they run use what was made for it.
do $$
declare
  function oid;
  made text;
begin
  for function in
    select p.oid
    from pg_proc p
    where p.pronamespace = 'ebb'::regnamespace
      and p.prosrc ~ '(?<![.\w])pg_input_is_valid\(| is json (array )?with unique keys'
  loop
    made := pg_get_functiondef(function);
    made := regexp_replace(made, '(?<![.\w])pg_input_is_valid\(', 'ebb.pg_input_is_valid(', 'g');
    made := regexp_replace(
      made, '([\w.]+\(\w+\)) is json with unique keys', 'ebb.is_unique_json(\1)', 'g');
    made := regexp_replace(
      made, '(\w+) is json array with unique keys',
      '(json_typeof(\1) = ''array'' and ebb.is_unique_json(\1::text))', 'g');
    execute made;
  end loop;
end $$;
