-- A queue with an address is a destination: its deliveries go there.
alter table ebb.queue add column destination jsonb;
create index queue_destination on ebb.queue (name) where destination is not null;
