-- Leases of workers that poll over HTTP. Who holds one is a token, by its id or else its name: no
-- other renews or settles it. A poll that is repeated, because its answer was lost, finds the lease
-- that it was given.
alter table ebb.lease
  add column holder text,
  add column request_id text;
create unique index lease_request on ebb.lease (node, request_id) where request_id is not null;

-- By whose token a worker polls, whose row an API process writes; null for a process that runs Ebb.
alter table ebb.node add column holder text;

-- The queues from which the token may take jobs; null for all.
alter table ebb.token add column queues text[];
