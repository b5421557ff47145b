select (to_regclass('ebb.flyway_schema_history') is not null)::integer
