package dev.ebb.db.schema;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Facts that a database server tells about itself, on a connection like those of the engine.
 *
 * @param version such as 180006
 * @param standby whether it only follows another server
 * @param canCreate whether the user may create the schema, or may create tables in it
 * @param timeouts in force on the connection
 * @param connectionsLeft how many more connections it takes, without those reserved for superusers
 * @param oldestSnapshot how long the longest transaction has held back the vacuum
 * @param idleSlots replication slots without a reader, which keep the log and dead rows
 */
public record ServerFacts(
    int version,
    boolean standby,
    String encoding,
    boolean fsync,
    String synchronousCommit,
    boolean canCreate,
    Timeouts timeouts,
    int connectionsLeft,
    Duration oldestSnapshot,
    int idleSlots,
    Instant clock) {

  /** Limits of a session; zero for none. */
  public record Timeouts(Duration statement, Duration transaction, Duration idleInTransaction) {
    /** Whether all of them are set. */
    public boolean areSet() {
      return statement.isPositive() && transaction.isPositive() && idleInTransaction.isPositive();
    }
  }

  private static final String FACTS =
      """
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
      """;

  /** Asks the server. */
  public static ServerFacts read(Database database) throws SQLException {
    return database
        .inAutocommit(connection -> Statements.list(connection, FACTS, _ -> {}, ServerFacts::facts))
        .getFirst();
  }

  private static ServerFacts facts(ResultSet row) throws SQLException {
    return new ServerFacts(
        row.getInt("version"),
        row.getBoolean("standby"),
        row.getString("encoding"),
        row.getBoolean("fsync"),
        row.getString("synchronous_commit"),
        row.getBoolean("can_create"),
        timeouts(row),
        row.getInt("connections_left"),
        Duration.ofSeconds(row.getLong("oldest_snapshot")),
        row.getInt("idle_slots"),
        Instant.ofEpochMilli(row.getLong("clock")));
  }

  private static Timeouts timeouts(ResultSet row) throws SQLException {
    return new Timeouts(
        Duration.ofMillis(row.getLong("statement_timeout")),
        Duration.ofMillis(row.getLong("transaction_timeout")),
        Duration.ofMillis(row.getLong("idle_timeout")));
  }
}
