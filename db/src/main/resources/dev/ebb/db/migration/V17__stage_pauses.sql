-- After how many of its first stages an operation waits for somebody who looks at them.
alter table ebb.operation
  add column pauses_after smallint not null default 0 check (pauses_after between 0 and 10);
