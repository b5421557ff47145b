-- Links that show one job's story without a token. Of a link's secret only the SHA-256 is here, as of
-- tokens.
create table ebb.job_link (
  -- Stands in the link, before its secret.
  id         text collate "C" primary key,
  job_id     uuid not null,
  hash       text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index job_link_job on ebb.job_link (job_id);
-- To find those that ended long ago.
create index job_link_end on ebb.job_link (least(revoked_at, expires_at));
