-- Schedules, what became of their fires, and the tables in which Quartz keeps when to look.

create table ebb.schedule (
  name              text collate "C" primary key check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  -- Every change by people increments it; a fire leaves it alone.
  version           bigint not null default 1,
  cron              text,
  every_seconds     integer check (every_seconds > 0),
  -- From when an interval counts.
  origin            timestamptz not null,
  zone              text not null,
  start_at          timestamptz,
  end_at            timestamptz,
  excluded_weekdays text[] not null,
  excluded_dates    text[] not null,
  excluded_yearly   text[] not null,
  -- The job that it submits.
  kind              text not null,
  queue             text not null,
  payload           text not null check (octet_length(payload) > 0),
  priority          ebb.priority not null,
  max_attempts      ebb.max_attempts,
  policy            jsonb,
  unique_key        text,
  timeout_millis    ebb.timeout_millis,
  labels            jsonb,
  misfire           text not null check (misfire in ('skip', 'once', 'all')),
  most_misfires     integer not null check (most_misfires between 1 and 1000),
  overlap           text not null check (overlap in ('allow', 'skip', 'queue')),
  -- The fire that comes next, or is due. Null once it has ended.
  next_fire_at      timestamptz,
  -- The job of the last fire that had one, and how many fires wait for its end.
  last_job          uuid,
  waiting           integer not null default 0 check (waiting >= 0),
  paused_since      timestamptz,
  paused_by         text,
  pause_reason      text,
  created_at        timestamptz not null default now(),
  changed_at        timestamptz not null default now(),
  check (num_nulls(cron, every_seconds) = 1),
  check (num_nulls(paused_since, paused_by) in (0, 2))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

create index schedule_next_fire on ebb.schedule (next_fire_at) where paused_since is null;
create index schedule_waiting on ebb.schedule (name) where waiting > 0;

-- What became of each fire that is kept. The key keeps two nodes from making two jobs of one: the
-- second waits for the first, and writes no row.
create table ebb.schedule_fire (
  schedule text collate "C" not null,
  -- The time by the schedule. Of a run by hand, when it was asked for.
  fire_at  timestamptz not null,
  fired_at timestamptz not null default clock_timestamp(),
  result   text not null default 'submitted' check (
    result in ('submitted', 'duplicate', 'overlapped', 'waiting', 'misfired', 'refused')),
  by_hand  boolean not null default false,
  -- How many earlier fires, which came too late, it stands for.
  missed   bigint not null default 0,
  -- The job that it made, or the one that held its unique key.
  job_id   uuid,
  node     text,
  error    text,
  primary key (schedule, fire_at)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index schedule_fire_waiting on ebb.schedule_fire (schedule, fire_at)
  where result = 'waiting';

-- Quartz's tables as it wants them, with fewer indexes than in its own script: there are at most
-- some thousand triggers.

create table ebb.qrtz_job_details (
  sched_name        varchar(120) not null,
  job_name          varchar(200) not null,
  job_group         varchar(200) not null,
  description       varchar(250),
  job_class_name    varchar(250) not null,
  is_durable        boolean not null,
  is_nonconcurrent  boolean not null,
  is_update_data    boolean not null,
  requests_recovery boolean not null,
  job_data          bytea,
  primary key (sched_name, job_name, job_group)
);

create table ebb.qrtz_triggers (
  sched_name     varchar(120) not null,
  trigger_name   varchar(200) not null,
  trigger_group  varchar(200) not null,
  job_name       varchar(200) not null,
  job_group      varchar(200) not null,
  description    varchar(250),
  next_fire_time bigint,
  prev_fire_time bigint,
  priority       integer,
  trigger_state  varchar(16) not null,
  trigger_type   varchar(8) not null,
  start_time     bigint not null,
  end_time       bigint,
  calendar_name  varchar(200),
  misfire_instr  smallint,
  job_data       bytea,
  primary key (sched_name, trigger_name, trigger_group),
  foreign key (sched_name, job_name, job_group) references ebb.qrtz_job_details
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create index qrtz_triggers_job on ebb.qrtz_triggers (sched_name, job_name, job_group);
create index qrtz_triggers_due on ebb.qrtz_triggers (sched_name, trigger_state, next_fire_time);

create table ebb.qrtz_simple_triggers (
  sched_name      varchar(120) not null,
  trigger_name    varchar(200) not null,
  trigger_group   varchar(200) not null,
  repeat_count    bigint not null,
  repeat_interval bigint not null,
  times_triggered bigint not null,
  primary key (sched_name, trigger_name, trigger_group),
  foreign key (sched_name, trigger_name, trigger_group) references ebb.qrtz_triggers
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create table ebb.qrtz_cron_triggers (
  sched_name      varchar(120) not null,
  trigger_name    varchar(200) not null,
  trigger_group   varchar(200) not null,
  cron_expression varchar(120) not null,
  time_zone_id    varchar(80),
  primary key (sched_name, trigger_name, trigger_group),
  foreign key (sched_name, trigger_name, trigger_group) references ebb.qrtz_triggers
);

create table ebb.qrtz_simprop_triggers (
  sched_name    varchar(120) not null,
  trigger_name  varchar(200) not null,
  trigger_group varchar(200) not null,
  str_prop_1    varchar(512),
  str_prop_2    varchar(512),
  str_prop_3    varchar(512),
  int_prop_1    integer,
  int_prop_2    integer,
  long_prop_1   bigint,
  long_prop_2   bigint,
  dec_prop_1    numeric(13, 4),
  dec_prop_2    numeric(13, 4),
  bool_prop_1   boolean,
  bool_prop_2   boolean,
  primary key (sched_name, trigger_name, trigger_group),
  foreign key (sched_name, trigger_name, trigger_group) references ebb.qrtz_triggers
);

create table ebb.qrtz_blob_triggers (
  sched_name    varchar(120) not null,
  trigger_name  varchar(200) not null,
  trigger_group varchar(200) not null,
  blob_data     bytea,
  primary key (sched_name, trigger_name, trigger_group),
  foreign key (sched_name, trigger_name, trigger_group) references ebb.qrtz_triggers
);

create table ebb.qrtz_calendars (
  sched_name    varchar(120) not null,
  calendar_name varchar(200) not null,
  calendar      bytea not null,
  primary key (sched_name, calendar_name)
);

create table ebb.qrtz_paused_trigger_grps (
  sched_name    varchar(120) not null,
  trigger_group varchar(200) not null,
  primary key (sched_name, trigger_group)
);

create table ebb.qrtz_fired_triggers (
  sched_name        varchar(120) not null,
  entry_id          varchar(140) not null,
  trigger_name      varchar(200) not null,
  trigger_group     varchar(200) not null,
  instance_name     varchar(200) not null,
  fired_time        bigint not null,
  sched_time        bigint not null,
  priority          integer not null,
  state             varchar(16) not null,
  job_name          varchar(200),
  job_group         varchar(200),
  is_nonconcurrent  boolean,
  requests_recovery boolean,
  primary key (sched_name, entry_id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create index qrtz_fired_triggers_node on ebb.qrtz_fired_triggers (sched_name, instance_name);
create index qrtz_fired_triggers_trigger
  on ebb.qrtz_fired_triggers (sched_name, trigger_name, trigger_group);

create table ebb.qrtz_scheduler_state (
  sched_name        varchar(120) not null,
  instance_name     varchar(200) not null,
  last_checkin_time bigint not null,
  checkin_interval  bigint not null,
  primary key (sched_name, instance_name)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

create table ebb.qrtz_locks (
  sched_name varchar(120) not null,
  lock_name  varchar(40) not null,
  primary key (sched_name, lock_name)
);

-- Quartz would insert them at its first start. Of two nodes that do so at a time, the second one's
-- transaction is aborted, and its next statement fails.
insert into ebb.qrtz_locks (sched_name, lock_name)
values ('ebb', 'TRIGGER_ACCESS'), ('ebb', 'STATE_ACCESS');

-- As before, and it tells of schedules.
create or replace function ebb.tell_changes() returns trigger language plpgsql as $$
begin
  if exists (select from ebb.listening where listened_until > now()) then
    insert into ebb.event (what, at, action, subject, affected)
    select 'change', uuid_extract_timestamp(id), action, subject, affected
    from written
    where split_part(action, '.', 1) in (
      'queue', 'policy', 'job', 'node', 'operation', 'schedule');
  end if;
  return null;
end $$;
