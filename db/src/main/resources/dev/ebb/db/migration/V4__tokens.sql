-- Who may ask the API. Of a token only the SHA-256 is here: a copy of this table opens nothing.
create table ebb.token (
  id text collate "C" primary key,
  name text not null,
  hash text not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- A name leads to one token as long as it lives.
create unique index token_name on ebb.token (name) where revoked_at is null;
