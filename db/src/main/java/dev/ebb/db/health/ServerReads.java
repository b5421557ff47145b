package dev.ebb.db.health;

import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.health.Figure.Primary;
import dev.ebb.core.health.Figure.Server;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Reads what a server tells of itself. */
final class ServerReads {
  private static final String NOW = "select clock_timestamp() as now";

  // To a role without pg_monitor, another's session has neither a type nor a transaction, and a
  // standby has no state.
  private static final String SERVER =
      """
      select
        pg_is_in_recovery() as standby,
        current_setting('fsync')::boolean as fsync,
        current_setting('full_page_writes')::boolean as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('synchronous_standby_names') as synchronous_standby_names,
        current_setting('autovacuum')::boolean and current_setting('track_counts')::boolean
          as autovacuum,
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) as connections,
        (select count(*)::int from pg_stat_activity
          where backend_type = 'client backend' or backend_type is null and datid is not null)
          as connections_used,
        oldest.datname as freeze_database,
        age(oldest.datfrozenxid)::bigint as freeze_age,
        current_setting('autovacuum_freeze_max_age')::bigint as freeze_max_age,
        current_setting('vacuum_failsafe_age')::bigint as failsafe_age,
        current_setting('archive_mode') <> 'off' as archives,
        archiver.last_archived_time as archived_at,
        archiver.last_failed_time as archive_failed_at,
        quote_ident(current_user) as role,
        (select count(*)::int from pg_stat_activity
          where datname = current_database() and backend_type is null) as hidden_sessions,
        (select count(*)::int from pg_stat_replication where state is null) as hidden_standbys
      from (
        select datname, datfrozenxid from pg_database order by age(datfrozenxid) desc limit 1
      ) oldest
      cross join pg_stat_archiver archiver
      """;

  // A transaction of another database holds back nothing here; nor does a vacuum.
  private static final String TRANSACTIONS =
      """
      (
        select
          a.pid, null as gid, a.usename as role, a.application_name as application,
          host(a.client_addr) as address, a.state,
          a.application_name = 'ebb' and a.usename = current_user as own,
          greatest(extract(epoch from clock_timestamp() - a.xact_start) * 1000000, 0)::bigint
            as age,
          greatest(age(a.backend_xmin), age(a.backend_xid), 0)::bigint as transactions_behind
        from pg_stat_activity a
        where a.datname = current_database()
          and a.pid <> pg_backend_pid()
          and a.xact_start is not null
          and (a.backend_xmin is not null or a.backend_xid is not null)
          and a.backend_type <> 'autovacuum worker'
        order by a.xact_start
        limit 10
      )
      union all
      (
        select
          null, p.gid, p.owner, null, null, 'prepared', false,
          greatest(extract(epoch from clock_timestamp() - p.prepared) * 1000000, 0)::bigint,
          age(p.transaction)::bigint
        from pg_prepared_xacts p
        where p.database = current_database()
        order by p.prepared
        limit 10
      )
      order by age desc
      """;

  private static final String SLOTS =
      """
      select
        s.slot_name as name, s.slot_type as type, s.active, s.wal_status,
        coalesce(age(s.xmin), 0)::bigint as transactions_behind,
        case when not pg_is_in_recovery()
             then pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::bigint end as kept_bytes
      from pg_replication_slots s
      order by s.active, kept_bytes desc nulls last
      limit 20
      """;

  private static final String STANDBYS =
      """
      select
        coalesce(nullif(r.application_name, ''), host(r.client_addr), 'pid ' || r.pid) as name,
        host(r.client_addr) as address, r.state, r.sync_state as sync,
        pg_wal_lsn_diff(w.lsn, r.flush_lsn)::bigint as loss_bytes,
        (extract(epoch from r.flush_lag) * 1000000)::bigint as loss,
        pg_wal_lsn_diff(w.lsn, r.replay_lsn)::bigint as lag_bytes,
        (extract(epoch from r.replay_lag) * 1000000)::bigint as lag,
        coalesce(age(r.backend_xmin), 0)::bigint as transactions_behind
      from pg_stat_replication r
      cross join (
        select case when not pg_is_in_recovery() then pg_current_wal_lsn() end as lsn
      ) w
      where r.state <> 'backup'
      order by r.sync_state desc, loss_bytes
      limit 20
      """;

  private static final String PRIMARY =
      """
      select i.timeline, i.timeline_since as since, lost.*
      from ebb.identity i
      cross join (
        select
          count(*) as lost, min(acknowledged_at) as lost_from, max(acknowledged_at) as lost_to
        from ebb.lost_job
        where found_at > now() - interval '7 days'
      ) lost
      """;

  private ServerReads() {}

  static Instant now(Connection connection) throws SQLException {
    return Statements.one(connection, NOW, _ -> {}, row -> Rows.instant(row, "now"));
  }

  static Server server(Connection connection) throws SQLException {
    return Statements.one(connection, SERVER, _ -> {}, row -> Rows.record(row, Server.class));
  }

  static List<Transaction> transactions(Connection connection) throws SQLException {
    return Statements.list(
        connection, TRANSACTIONS, _ -> {}, row -> Rows.record(row, Transaction.class));
  }

  static List<Slot> slots(Connection connection) throws SQLException {
    return Statements.list(connection, SLOTS, _ -> {}, row -> Rows.record(row, Slot.class));
  }

  static List<Standby> standbys(Connection connection) throws SQLException {
    return Statements.list(connection, STANDBYS, _ -> {}, row -> Rows.record(row, Standby.class));
  }

  static Primary primary(Connection connection) throws SQLException {
    return Statements.one(connection, PRIMARY, _ -> {}, row -> Rows.record(row, Primary.class));
  }
}
