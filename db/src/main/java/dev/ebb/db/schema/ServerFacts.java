package dev.ebb.db.schema;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Facts that a database server tells about itself, on a connection like those of the engine; those
 * of its health are read by {@link dev.ebb.db.health.DatabaseHealth}.
 *
 * @param version such as 180006
 * @param canCreate whether the user may create the schema, or may create tables in it
 * @param timeouts in force on the connection
 */
public record ServerFacts(
    int version, String encoding, boolean canCreate, Timeouts timeouts, Instant clock) {

  /**
   * Limits of a session; zero for none.
   *
   * @param transaction {@code null} where the server knows none, before PostgreSQL 17
   */
  public record Timeouts(
      Duration statement, @Nullable Duration transaction, Duration idleInTransaction) {
    /** Whether all of them are set. */
    public boolean areSet() {
      return statement.isPositive()
          && (transaction == null || transaction.isPositive())
          && idleInTransaction.isPositive();
    }
  }

  private static final String FACTS =
      """
      select current_setting('server_version_num')::int as version,
             current_setting('server_encoding') as encoding,
             case when to_regnamespace('ebb') is null
                  then has_database_privilege(current_database(), 'create')
                  else has_schema_privilege('ebb', 'create') end as can_create,
             (select setting::bigint from pg_settings where name = 'statement_timeout')
               as statement_timeout,
             (select setting::bigint from pg_settings where name = 'transaction_timeout')
               as transaction_timeout,
             (select setting::bigint from pg_settings
               where name = 'idle_in_transaction_session_timeout') as idle_timeout,
             (extract(epoch from clock_timestamp()) * 1000)::bigint as clock
      """;

  /** Asks the server. */
  public static ServerFacts read(Database database) throws SQLException {
    return database.inAutocommit(
        connection -> Statements.one(connection, FACTS, _ -> {}, ServerFacts::facts));
  }

  private static ServerFacts facts(ResultSet row) throws SQLException {
    return new ServerFacts(
        row.getInt("version"),
        row.getString("encoding"),
        row.getBoolean("can_create"),
        timeouts(row),
        Instant.ofEpochMilli(row.getLong("clock")));
  }

  private static Timeouts timeouts(ResultSet row) throws SQLException {
    long millis = row.getLong("transaction_timeout");
    Duration transaction = row.wasNull() ? null : Duration.ofMillis(millis);
    return new Timeouts(
        Duration.ofMillis(row.getLong("statement_timeout")),
        transaction,
        Duration.ofMillis(row.getLong("idle_timeout")));
  }
}
