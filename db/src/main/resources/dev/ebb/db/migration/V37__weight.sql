-- A queue's share of a node's slots, in relation to other queues; null for 1.
alter table ebb.queue add column weight integer check (weight between 1 and 100);
