-- What follows a job when it ends, and the job that it follows itself: see FollowUpsJson. Of jobs
-- that nothing follows it is null, and costs nothing.
alter table ebb.job add column follow_ups jsonb;
alter table ebb.dead_letter add column follow_ups jsonb;
alter table ebb.history add column follow_ups jsonb;
alter table ebb.history_stray add column follow_ups jsonb;
