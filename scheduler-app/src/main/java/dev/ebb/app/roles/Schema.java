package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.connection.Confirmation;
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

  /** What to do where the encoding is wrong: it cannot be changed later. */
  public static final String NEW_DATABASE =
      "create one by create database ebb encoding 'UTF8' template template0,"
          + " and let EBB_DB_URL name it";

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
    requireUtf8(database);
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
          "the database schema is at version {}, newer than the {} of this program: it runs on, but"
              + " upgrade this program",
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
    Confirmation.forgetIfNew(database);
    try (Database there = Database.open(database)) {
      requireUtf8(there);
      return Migrations.migrate(database);
    } catch (CannotStart refused) {
      throw refused;
    } catch (SQLException | RuntimeException failed) {
      throw failure("The migration failed", failed);
    }
  }

  /** Any other encoding lacks characters that jobs, and the answers to deliveries, may have. */
  private static void requireUtf8(Database database) throws SQLException {
    String encoding = Migrations.encoding(database);
    if (!encoding.equals("UTF8")) {
      throw CannotStart.unable(
          "The database at %s has the encoding %s, which cannot hold every text: %s."
              .formatted(database.config().address(), encoding, NEW_DATABASE));
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

  static CannotStart failure(String what, Throwable failure) {
    return CannotStart.unable(
        what + " (" + why(failure) + "): " + mend(failure) + "; ./ebb doctor tells more.");
  }

  /** Whether the connection goes through a pooling proxy, and Ebb was not told. */
  static boolean isRefusedByPooler(Throwable failure) {
    return why(failure).contains("unsupported startup parameter");
  }

  /** What to do where the database cannot be used. */
  public static String mend(Throwable failure) {
    return isRefusedByPooler(failure)
        ? "Ebb connects through a pooling proxy: set EBB_DB_POOLER=true"
        : "check EBB_DB_URL, EBB_DB_USER, EBB_DB_PASSWORD or its file, and whether the server"
            + " runs";
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
