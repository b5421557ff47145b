-- Which node shows in its metrics how the queues of the whole cluster stand: one at a time, so that a
-- sum over the nodes is right. It renews its lease every few seconds.
create table ebb.gauge_lease (
  one        boolean primary key default true check (one),
  node       text,
  expires_at timestamptz not null default 'epoch'
) with (fillfactor = 50);
insert into ebb.gauge_lease default values;
