package dev.ebb.db.schema;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.JavaMigration;
import org.flywaydb.core.internal.scanner.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema {@code ebb} up to date.
 *
 * <p>A migration keeps the schema fit for the version before it: it adds now, and takes away one
 * release later. So during an upgrade nodes of both versions may run, and start.
 */
public final class Migrations {
  /** The schema that this version needs: that of the newest migration, as Flyway finds them. */
  public static final int NEEDED = newest(sources());

  /** The oldest PostgreSQL that can run Ebb, whose tests run on it as on the newest. */
  public static final int OLDEST_SERVER = 15;

  private static final String FOLDER = "classpath:dev/ebb/db/";

  /**
   * A migration that waits for a lock gives up soon, so that no claim queues behind it for long.
   * Flyway's lock is held by a second session, idle in its transaction, which no timeout of its
   * role may end. A server that is too old is not touched, nor is a database that cannot hold every
   * text.
   */
  private static final String PREPARED =
      """
      set lock_timeout = '3s';
      set idle_in_transaction_session_timeout = 0;
      do $$ begin
        if current_setting('server_version_num')::integer < %s0000 then
          raise exception 'this is PostgreSQL %%, and Ebb needs %1$s or newer',
            current_setting('server_version')
            using errcode = 'feature_not_supported';
        end if;
        if current_setting('server_encoding') <> 'UTF8' then
          raise exception 'the encoding of database %% is %%, and Ebb needs UTF8',
            current_database(), current_setting('server_encoding')
            using errcode = 'feature_not_supported';
        end if;
      end $$
      """
          .formatted(OLDEST_SERVER);

  private static final String VERSION =
      """
      select current_setting('server_version_num')::integer
      """;

  private static final String ENCODING =
      """
      select current_setting('server_encoding')
      """;

  private static final String HAS_ANY =
      """
      select (to_regclass('ebb.flyway_schema_history') is not null)::integer
      """;

  private static final String NEWEST =
      """
      select coalesce(max(version::integer), 0)
      from ebb.flyway_schema_history
      where success and version is not null
      """;

  private Migrations() {}

  /**
   * Applies the missing migrations and returns their number. Each is a transaction: one that fails
   * leaves no trace, and may be repeated.
   *
   * @throws dev.ebb.core.InvalidInput behind a transaction-pooling proxy, which gives no client a
   *     session of its own
   */
  public static int migrate(DatabaseConfig config) {
    require(!config.pooler(), "pooler", "must be false: a migration needs a session of its own");
    return flyway(config).load().migrate().migrationsExecuted;
  }

  /** Flyway connects by itself: it is told the one server that has Ebb's database. */
  static FluentConfiguration flyway(DatabaseConfig config) {
    try (Database database = Database.open(config)) {
      DatabaseConfig primary = database.primary();
      try (Connection connection = database.dedicatedConnection()) {
        return flyway(primary, number(connection, VERSION));
      }
    } catch (SQLException unreachable) {
      throw new FlywayException(unreachable);
    }
  }

  /**
   * The version of the schema, 0 where there is none. Sets nothing on the session, which a proxy
   * may share among clients; and takes no connection of the pool, which would wait for the server.
   */
  public static int installed(Database database) throws SQLException {
    try (Connection connection = database.dedicatedConnection()) {
      return number(connection, HAS_ANY) == 0 ? 0 : number(connection, NEWEST);
    }
  }

  /** The encoding in which the database stores texts; Ebb needs {@code UTF8}. */
  public static String encoding(Database database) throws SQLException {
    try (Connection connection = database.dedicatedConnection()) {
      return Statements.one(connection, ENCODING, _ -> {}, row -> row.getString(1));
    }
  }

  private static int newest(Configuration sources) {
    return new Scanner<>(JavaMigration.class, sources, sources.getLocations())
        .getResources("V", ".sql").stream()
            .mapToInt(file -> Integer.parseInt(file.getFilename().replaceAll("V(\\d+)__.*", "$1")))
            .max()
            .orElseThrow();
  }

  private static int number(Connection connection, String sql) throws SQLException {
    return Statements.one(connection, sql, _ -> {}, row -> row.getInt(1));
  }

  /** As for the nodes' connections: of several servers, the one that takes writes. */
  private static final Map<String, String> WHERE =
      Map.of("targetServerType", "primary", "connectTimeout", "5");

  private static FluentConfiguration flyway(DatabaseConfig config, int version) {
    return sources()
        .locations(locations(version))
        .dataSource(config.url(), config.user(), password(config))
        .jdbcProperties(WHERE)
        .schemas("ebb")
        .initSql(PREPARED)
        .connectRetries(0)
        .validateMigrationNaming(true)
        .cleanDisabled(true);
  }

  /** The migrations are the same on every server; an older one is given what it lacks for them. */
  private static String[] locations(int version) {
    List<String> folders = new ArrayList<>(List.of(FOLDER + "migration"));
    if (version < 18_00_00) {
      folders.add(FOLDER + "before18");
    }
    if (version < 16_00_00) {
      folders.add(FOLDER + "before16");
    }
    return folders.toArray(String[]::new);
  }

  private static @Nullable String password(DatabaseConfig config) {
    try {
      return config.currentPassword();
    } catch (SQLException unreadable) {
      throw new FlywayException(unreadable);
    }
  }

  private static FluentConfiguration sources() {
    return Flyway.configure().locations(FOLDER + "migration");
  }
}
