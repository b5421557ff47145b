-- Who did what, why, to how many, from where.
create table ebb.audit (
  id       uuid primary key default uuidv7(),
  at       timestamptz not null default now(),
  actor    text not null,
  token_id text,
  address  text,
  reason   text,
  action   text not null,
  subject  text not null,
  affected bigint not null
);
