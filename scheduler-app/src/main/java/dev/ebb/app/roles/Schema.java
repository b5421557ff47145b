package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.DatabaseConfig;
import dev.ebb.db.Migrations;

/** The database's schema, as a role needs it before it starts. */
public final class Schema {
  private Schema() {}

  /** Brings the schema up to date where that is allowed, and throws unless it is. */
  public static void require(Settings settings) {
    if (settings.migrate()) {
      migrate(settings.database());
    } else if (!isCurrent(settings.database())) {
      throw CannotStart.unable(
          "The database has not the schema of this version: run ./ebb migrate, or set"
              + " EBB_MIGRATE=true.");
    }
  }

  /** Applies what is missing, and answers how many migrations that were. */
  public static int migrate(DatabaseConfig database) {
    try {
      return Migrations.migrate(database);
    } catch (RuntimeException failed) {
      throw failure("The migration failed", failed);
    }
  }

  private static boolean isCurrent(DatabaseConfig database) {
    try {
      return Migrations.isCurrent(database);
    } catch (RuntimeException failed) {
      throw failure("The database at " + database.url() + " does not answer", failed);
    }
  }

  private static CannotStart failure(String what, Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String why = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    return CannotStart.unable(
        what
            + " ("
            + why
            + "): check EBB_DB_URL, EBB_DB_USER and EBB_DB_PASSWORD; ./ebb doctor"
            + " tells more.");
  }
}
