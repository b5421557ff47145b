package dev.ebb.db;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationState;

/** Brings the schema {@code ebb} up to date. */
public final class Migrations {
  /**
   * A migration that waits for a lock gives up soon, so that no claim queues behind it for long.
   * The session that keeps others from migrating waits for this one, whatever its role may say.
   */
  private static final String TIMEOUTS =
      "set lock_timeout = '3s'; set idle_in_transaction_session_timeout = 0";

  private Migrations() {}

  /**
   * Applies what is missing and answers how many migrations that were. Each is a transaction: one
   * that fails leaves no trace, and may be repeated.
   */
  public static int migrate(DatabaseConfig config) {
    return flyway(config).migrate().migrationsExecuted;
  }

  /** Whether the schema is the one that this version needs. */
  public static boolean isCurrent(DatabaseConfig config) {
    Flyway flyway = flyway(config);
    return flyway.info().pending().length == 0
        && flyway.info().current() != null
        && flyway.info().current().getState() == MigrationState.SUCCESS;
  }

  private static Flyway flyway(DatabaseConfig config) {
    return Flyway.configure()
        .dataSource(config.url(), config.user(), config.password())
        .schemas("ebb")
        .locations("classpath:dev/ebb/db/migration")
        .initSql(TIMEOUTS)
        .connectRetries(0)
        .validateMigrationNaming(true)
        .cleanDisabled(true)
        .load();
  }
}
