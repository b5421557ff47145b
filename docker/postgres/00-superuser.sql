-- The image wants a password for the superuser. Nobody gets one: "docker compose exec postgres
-- psql -U postgres ebb" comes in over the socket.
alter role current_user password null;

