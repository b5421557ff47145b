do $$
declare
  r record;
  password text;
begin
  for r in select * from (values ('ebb_owner', 'owner'), ('ebb', 'node')) as t (role, secret) loop
    password := split_part(pg_read_file('/run/secrets/' || r.secret), E'\n', 1);
    if password = '' then
      raise 'the secret "%" has no password on its first line', r.secret;
    end if;
    execute format('alter role %I password %L', r.role, password);
  end loop;
end $$;
