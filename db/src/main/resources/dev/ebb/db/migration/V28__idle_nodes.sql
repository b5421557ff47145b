-- A node renews this lease every five seconds, even where nothing happens. What it says is worth
-- nothing after a crash or on another server, so that it needs no log. Such a table is empty then:
-- who takes the lease inserts its row.
alter table ebb.gauge_lease set unlogged;
