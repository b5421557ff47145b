-- When the receiver throttled last: attempts from before a cut postpone its recovery.
alter table ebb.limiter
  drop constraint limiter_check,
  add column cut_quiet_since timestamptz;

update ebb.limiter set cut_quiet_since = cut_at;

alter table ebb.limiter
  add constraint limiter_cut_check
    check (num_nulls(cut_ceiling, cut_factor, cut_at, cut_quiet_since) in (0, 4));
