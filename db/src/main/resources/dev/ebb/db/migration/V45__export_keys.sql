-- The keys that sign what the cluster exports. One signs; the public keys of those before it stay, so
-- that older files can be verified.
create table ebb.export_key (
  -- The SHA-256 of the public key.
  id         text collate "C" primary key,
  public_key text not null,
  -- The private key, encrypted. It goes when the key signs no more.
  sealed     text,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check ((sealed is null) = (retired_at is not null))
);
create unique index export_key_signs on ebb.export_key ((true)) where sealed is not null;
