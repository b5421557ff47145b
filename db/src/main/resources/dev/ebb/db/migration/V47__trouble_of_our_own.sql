-- Whether the node suspects its own network or resolver, by its last heartbeat.
alter table ebb.node add column network_suspected boolean not null default false;

-- When the client certificate of a destination ends: as ISO 8601 in UTC, which sorts as text.
create index queue_certificate_end
  on ebb.queue ((destination #>> '{tls,certificateEndsAt}') collate "C")
  where destination #>> '{tls,certificateEndsAt}' is not null;
