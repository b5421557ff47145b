package dev.ebb.db;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements that are sent as one string of two: settings first, the verb second. */
final class Statements {
  private Statements() {}

  /** The rows behind the settings. */
  static ResultSet secondResult(PreparedStatement statement) throws SQLException {
    statement.execute();
    if (!statement.getMoreResults()) {
      throw new SQLException("the second statement answered no rows");
    }
    return statement.getResultSet();
  }
}
