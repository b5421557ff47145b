package dev.ebb.db.health;

import dev.ebb.core.health.ServerHealth.Archive;
import dev.ebb.core.health.ServerHealth.Lost;
import dev.ebb.core.health.ServerHealth.Primaries;
import dev.ebb.core.health.ServerHealth.Server;
import dev.ebb.core.health.ServerHealth.Sessions;
import dev.ebb.core.health.ServerHealth.Slot;
import dev.ebb.core.health.ServerHealth.Standby;
import dev.ebb.core.health.ServerHealth.Standbys;
import dev.ebb.core.health.ServerHealth.Transaction;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a server tells of itself. */
final class ServerReads {
  // To a role without pg_monitor, another's session has neither a type nor a transaction.
  private static final String SERVER =
      """
      select
        clock_timestamp() as now,
        pg_is_in_recovery() as standby,
        current_setting('fsync')::boolean as fsync,
        current_setting('full_page_writes')::boolean as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('synchronous_standby_names') as synchronous_standbys,
        current_setting('autovacuum')::boolean and current_setting('track_counts')::boolean
          as autovacuum,
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - current_setting('reserved_connections')::int as connections,
        (select count(*)::int from pg_stat_activity
          where backend_type = 'client backend' or backend_type is null and datid is not null)
          as connections_used,
        oldest.datname as freeze_database,
        age(oldest.datfrozenxid)::bigint as freeze_age,
        current_setting('autovacuum_freeze_max_age')::bigint as freeze_max_age,
        current_setting('vacuum_failsafe_age')::bigint as failsafe_age,
        current_setting('archive_mode') <> 'off' as archives,
        archiver.last_archived_time,
        archiver.last_failed_time,
        quote_ident(current_user) as role
      from (
        select datname, datfrozenxid from pg_database order by age(datfrozenxid) desc limit 1
      ) oldest
      cross join pg_stat_archiver archiver
      """;

  // A transaction of another database holds back nothing here; nor does a vacuum.
  private static final String SESSIONS =
      """
      (
        select
          a.pid, null as gid, a.usename as owner, a.application_name,
          host(a.client_addr) as address, a.state,
          a.application_name = 'ebb' and a.usename = current_user as own,
          (extract(epoch from clock_timestamp() - a.xact_start) * 1000000)::bigint as age,
          greatest(age(a.backend_xmin), age(a.backend_xid), 0)::bigint as xids
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
          (extract(epoch from clock_timestamp() - p.prepared) * 1000000)::bigint,
          age(p.transaction)::bigint
        from pg_prepared_xacts p
        where p.database = current_database()
        order by p.prepared
        limit 10
      )
      order by age desc
      """;

  private static final String HIDDEN_SESSIONS =
      """
      select
        (select count(*)::int from pg_stat_activity
          where datname = current_database() and backend_type is null) as hidden,
        quote_ident(current_user) as role
      """;

  private static final String SLOTS =
      """
      select
        s.slot_name, s.slot_type, s.active, s.wal_status,
        coalesce(age(s.xmin), 0)::bigint as xids,
        case when not pg_is_in_recovery()
             then pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::bigint end as kept
      from pg_replication_slots s
      order by s.active, kept desc nulls last
      limit 20
      """;

  private static final String STANDBYS =
      """
      select
        coalesce(nullif(r.application_name, ''), host(r.client_addr), 'pid ' || r.pid) as name,
        host(r.client_addr) as address, r.state, r.sync_state,
        pg_wal_lsn_diff(w.lsn, r.flush_lsn)::bigint as loss_bytes,
        (extract(epoch from r.flush_lag) * 1000000)::bigint as loss,
        pg_wal_lsn_diff(w.lsn, r.replay_lsn)::bigint as lag_bytes,
        (extract(epoch from r.replay_lag) * 1000000)::bigint as lag,
        coalesce(age(r.backend_xmin), 0)::bigint as xids
      from pg_stat_replication r
      cross join (
        select case when not pg_is_in_recovery() then pg_current_wal_lsn() end as lsn
      ) w
      where r.state is distinct from 'backup'
      order by r.sync_state desc, loss_bytes
      limit 20
      """;

  private static final String PRIMARY =
      """
      select i.timeline, i.timeline_since, lost.*
      from ebb.identity i
      cross join (
        select
          count(*) as lost, min(acknowledged_at) as lost_from, max(acknowledged_at) as lost_to
        from ebb.lost_job
        where found_at > now() - interval '7 days'
      ) lost
      """;

  private ServerReads() {}

  private static @Nullable Lost lost(ResultSet row) throws SQLException {
    long number = row.getLong("lost");
    return number == 0
        ? null
        : new Lost(number, Rows.instant(row, "lost_from"), Rows.instant(row, "lost_to"));
  }

  static Primaries primaries(Connection connection, Map<String, String> others)
      throws SQLException {
    return Statements.one(
        connection,
        PRIMARY,
        _ -> {},
        row ->
            new Primaries(
                row.getInt("timeline"), Rows.instant(row, "timeline_since"), lost(row), others));
  }

  static Server server(Connection connection) throws SQLException {
    return Statements.one(
        connection,
        SERVER,
        _ -> {},
        row ->
            new Server(
                Rows.instant(row, "now"),
                row.getBoolean("standby"),
                row.getBoolean("fsync"),
                row.getBoolean("full_page_writes"),
                row.getString("synchronous_commit"),
                row.getString("synchronous_standbys"),
                row.getBoolean("autovacuum"),
                row.getInt("connections"),
                row.getInt("connections_used"),
                row.getString("freeze_database"),
                row.getLong("freeze_age"),
                row.getLong("freeze_max_age"),
                row.getLong("failsafe_age"),
                archive(row),
                row.getString("role")));
  }

  private static @Nullable Archive archive(ResultSet row) throws SQLException {
    return row.getBoolean("archives")
        ? new Archive(
            Rows.instantOrNull(row, "last_archived_time"),
            Rows.instantOrNull(row, "last_failed_time"))
        : null;
  }

  static Sessions sessions(Connection connection) throws SQLException {
    List<Transaction> transactions =
        Statements.list(connection, SESSIONS, _ -> {}, ServerReads::transaction);
    return Statements.one(
        connection,
        HIDDEN_SESSIONS,
        _ -> {},
        row -> new Sessions(transactions, row.getInt("hidden"), row.getString("role")));
  }

  private static Transaction transaction(ResultSet row) throws SQLException {
    return new Transaction(
        row.getObject("pid", Integer.class),
        row.getString("gid"),
        row.getString("owner"),
        row.getString("application_name"),
        row.getString("address"),
        row.getString("state"),
        row.getBoolean("own"),
        Duration.of(Math.max(0, row.getLong("age")), ChronoUnit.MICROS),
        row.getLong("xids"));
  }

  static List<Slot> slots(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        SLOTS,
        _ -> {},
        row ->
            new Slot(
                row.getString("slot_name"),
                row.getString("slot_type"),
                row.getBoolean("active"),
                row.getString("wal_status"),
                row.getLong("xids"),
                row.getObject("kept", Long.class)));
  }

  static Standbys standbys(Connection connection) throws SQLException {
    List<Standby> all = Statements.list(connection, STANDBYS, _ -> {}, ServerReads::standby);
    List<Standby> seen = all.stream().filter(one -> one.state() != null).toList();
    return Statements.one(
        connection,
        HIDDEN_SESSIONS,
        _ -> {},
        row -> new Standbys(seen, all.size() - seen.size(), row.getString("role")));
  }

  private static Standby standby(ResultSet row) throws SQLException {
    return new Standby(
        row.getString("name"),
        row.getString("address"),
        row.getString("state"),
        row.getString("sync_state"),
        row.getObject("loss_bytes", Long.class),
        micros(row, "loss"),
        row.getObject("lag_bytes", Long.class),
        micros(row, "lag"),
        row.getLong("xids"));
  }

  private static @Nullable Duration micros(ResultSet row, String column) throws SQLException {
    Long micros = row.getObject(column, Long.class);
    return micros == null ? null : Duration.of(micros, ChronoUnit.MICROS);
  }
}
