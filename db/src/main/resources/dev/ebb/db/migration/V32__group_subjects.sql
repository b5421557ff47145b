-- Whose dead letters a group holds: those of one merchant are a group of their own, however many
-- others fail alike.

create function ebb.hashed_id(name text) returns uuid
language sql immutable parallel safe
return substr(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 1, 32)::uuid;

-- Of all groups with this error, whatever their subjects.
create function ebb.error_id(queue text, kind text, reason text, pattern text) returns uuid
language sql immutable parallel safe
return ebb.hashed_id(
  'error' || chr(10) || queue || chr(10) || kind || chr(10) || reason || chr(10) || pattern);

alter table ebb.error_group
  -- Of its dead letters, when they were grouped; null for none, and in what an older node grouped.
  add column subject text,
  -- It holds those dead letters of its error whose subjects found no room.
  add column other_subjects boolean not null default false,
  add constraint error_group_one_subject check (not other_subjects or subject is null);

-- Generated, because an older node writes rows without them.
alter table ebb.error_group
  add column error_id uuid not null
    generated always as (ebb.error_id(queue, kind, reason, pattern)) stored,
  -- Of all groups with this subject, whatever their errors.
  add column subject_id uuid not null
    generated always as (
      ebb.hashed_id(
        case
          when other_subjects then 'other subjects'
          when subject is null then 'no subject'
          else 'subject' || chr(10) || subject
        end)
    ) stored;

create index error_group_error on ebb.error_group (error_id);
create index error_group_subject on ebb.error_group (subject_id);
