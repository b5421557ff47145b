package dev.ebb.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The days of the history: makes those ahead, and drops those that are over. */
public final class Partitions {
  /** Made ahead, so that a cluster may sleep for a week. */
  private static final int DAYS_AHEAD = 7;

  // One node at a time; and a change that would wait behind a long read gives up at once, because
  // every settle would queue up behind it.
  private static final String MAY_CHANGE =
      """
      select set_config('lock_timeout', '300ms', true), pg_try_advisory_xact_lock(6644323, 0)
      """;

  private static final String CHANGE =
      """
      select ebb.make_partitions(?), ebb.drop_partitions(?)
      """;

  private final Database database;

  public Partitions(Database database) {
    this.database = database;
  }

  /**
   * Makes the partitions of the coming week and drops those of which all rows are older than that.
   *
   * @return how many were dropped
   */
  public int roll(int daysKept) throws SQLException {
    return database.inTransaction(
        connection -> mayChange(connection) ? change(connection, daysKept) : 0);
  }

  private static boolean mayChange(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MAY_CHANGE);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(2);
    }
  }

  private static int change(Connection connection, int daysKept) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CHANGE)) {
      statement.setInt(1, DAYS_AHEAD);
      statement.setInt(2, daysKept);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(2);
      }
    }
  }
}
