package dev.ebb.spring;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;

/** Looks, as a submit would, whether Ebb's schema is in a database and its role may submit. */
final class SchemaCheck {
  private static final String CONTRACT = "select ebb.contract()";

  /** With the options that the client writes. */
  private static final int LEAST_REVISION = 2;

  private SchemaCheck() {}

  /** A {@link SetupFailure} unless it is. */
  static void check(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      String role = connection.getMetaData().getUserName();
      try (Statement statement = connection.createStatement();
          ResultSet revision = statement.executeQuery(CONTRACT)) {
        requireNew(revision);
      } catch (SQLException e) {
        throw refused(e, role);
      }
    } catch (SQLException e) {
      throw new SetupFailure("Ebb's data source gives no connection: " + e.getMessage(), e);
    }
  }

  private static void requireNew(ResultSet revision) throws SQLException {
    revision.next();
    if (revision.getInt(1) < LEAST_REVISION) {
      throw new SetupFailure(
          "Ebb's schema is older than this client: run ./ebb migrate of a newer version."
              + " ebb.schema=none leaves out this check.");
    }
  }

  private static SetupFailure refused(SQLException e, String role) {
    String told =
        switch (Objects.requireNonNullElse(e.getSQLState(), "")) {
          case "3F000", "42883" ->
              "The database of Ebb's data source does not have Ebb's schema: run ./ebb migrate on"
                  + " it.";
          case "42501" ->
              "The role " + role + " may not submit jobs: run ./ebb grant-submit " + role + ".";
          default -> "Ebb's schema could not be looked for (" + e.getMessage() + ").";
        };
    return new SetupFailure(told + " ebb.schema=none leaves out this check.", e);
  }
}
