-- How long the lease is: one that ends further ahead than that was made before the clock was set
-- back. Nodes of the release before this one leave it out.
alter table ebb.lease add column length_micros bigint check (length_micros > 0);
