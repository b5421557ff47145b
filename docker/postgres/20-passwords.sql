do $$
declare
  password text;
begin
  password := split_part(pg_read_file('/run/secrets/owner'), E'\n', 1);
  if password = '' then
    raise 'the secret "owner" has no password on its first line';
  end if;
  execute format('alter role ebb_owner password %L', password);
  password := split_part(pg_read_file('/run/secrets/node'), E'\n', 1);
  if password = '' then
    raise 'the secret "node" has no password on its first line';
  end if;
  execute format('alter role ebb password %L', password);
end $$;

