select current_setting('server_version_num')::int as version,
       pg_is_in_recovery() as standby,
       current_setting('server_encoding') as encoding,
       current_setting('fsync')::boolean as fsync,
       current_setting('synchronous_commit') as synchronous_commit,
       case when to_regnamespace('ebb') is null
            then has_database_privilege(current_database(), 'create')
            else has_schema_privilege('ebb', 'create') end as can_create,
       (select setting::bigint from pg_settings where name = 'statement_timeout')
         as statement_timeout,
       (select setting::bigint from pg_settings where name = 'transaction_timeout')
         as transaction_timeout,
       (select setting::bigint from pg_settings
         where name = 'idle_in_transaction_session_timeout') as idle_timeout,
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int
         - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int
         as connections_left,
       -- The snapshot of this very statement is not one that anybody holds.
       (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint
          from pg_stat_activity
         where backend_xmin is not null and pid <> pg_backend_pid()) as oldest_snapshot,
       (select count(*) from pg_replication_slots where not active)::int as idle_slots,
       (extract(epoch from clock_timestamp()) * 1000)::bigint as clock
