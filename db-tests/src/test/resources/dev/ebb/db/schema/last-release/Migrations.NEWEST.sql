select coalesce(max(version::integer), 0)
from ebb.flyway_schema_history
where success and version is not null
