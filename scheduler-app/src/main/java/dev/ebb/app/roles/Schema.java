package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.schema.Migrations;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database's schema, as a role needs it before it starts. */
public final class Schema {
  private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

  private Schema() {}

  /**
   * Brings the schema up to date where that is allowed, and throws unless it can be used.
   *
   * @throws SQLException if the database cannot be asked or changed for now
   */
  public static void require(Settings settings, Database database) throws SQLException {
    if (settings.migrate()) {
      requireOwnSession(settings.database());
    }
    int installed = Migrations.installed(database);
    if (settings.migrate()) {
      migrateForNow(settings.database());
      installed = Migrations.installed(database);
    }
    if (installed < Migrations.NEEDED) {
      throw CannotStart.unable(
          (installed == 0
                  ? "The database has no schema yet"
                  : "The database schema is at version %s, this program needs %s"
                      .formatted(installed, Migrations.NEEDED))
              + ": run ./ebb migrate, or set EBB_MIGRATE=true.");
    }
    if (installed > Migrations.NEEDED) {
      LOG.warn(
          "the database schema is at version {}, newer than the {} of this program: upgrade it",
          installed,
          Migrations.NEEDED);
    }
  }

  private static void migrateForNow(DatabaseConfig database) throws SQLException {
    try {
      Migrations.migrate(database);
    } catch (RuntimeException failed) {
      for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
        if (cause instanceof SQLException passing && SqlStates.mayPass(passing)) {
          throw passing;
        }
      }
      throw failure("The migration failed", failed);
    }
  }

  /** Applies the missing migrations, and returns their number. */
  public static int migrate(DatabaseConfig database) {
    requireOwnSession(database);
    try {
      return Migrations.migrate(database);
    } catch (RuntimeException failed) {
      throw failure("The migration failed", failed);
    }
  }

  private static void requireOwnSession(DatabaseConfig database) {
    if (database.pooler()) {
      throw CannotStart.wrongUse(
          "A migration needs a session of its own: set EBB_DB_POOLER=false, and let EBB_DB_URL name"
              + " the server itself instead of the pooling proxy.");
    }
  }

  public static CannotStart unusable(DatabaseConfig database, SQLException failure) {
    return failure("The database at " + database.address() + " cannot be used", failure);
  }

  private static CannotStart failure(String what, Throwable failure) {
    return CannotStart.unable(
        what
            + " ("
            + why(failure)
            + "): check EBB_DB_URL, EBB_DB_USER and EBB_DB_PASSWORD; ./ebb doctor"
            + " tells more.");
  }

  /** Whether the connection goes through a pooling proxy, and Ebb was not told. */
  public static boolean isRefusedByPooler(Throwable failure) {
    return why(failure).contains("unsupported startup parameter");
  }

  /** The root cause of a failure, in one line. */
  public static String why(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    // The message of this one is the bare name.
    return root instanceof UnknownHostException ? "unknown host " + message : message;
  }
}
