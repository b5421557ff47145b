package dev.ebb.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The days of the history: makes those ahead, and drops those that are over. */
public final class Partitions {
  /** Made ahead, so that a cluster may sleep for a week. */
  private static final int DAYS_AHEAD = 7;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  // One node at a time; and a change that would wait behind a long read gives up at once, because
  // every settle would queue up behind it.
  private static final String MAY_CHANGE =
      """
      select set_config('lock_timeout', '300ms', true), pg_try_advisory_xact_lock(6644323, 0)
      """;

  private static final String MAKE =
      """
      select ebb.make_partitions(?)
      """;

  private static final String DROP =
      """
      select ebb.drop_partition(?)
      """;

  private static final String PRUNE_HISTORY =
      """
      delete from ebb.history_rest where ended_at < now() - make_interval(days => ?)
      """;

  private static final String PRUNE_ATTEMPTS =
      """
      delete from ebb.attempt_rest where ended_at < now() - make_interval(days => ?)
      """;

  private final Database database;

  public Partitions(Database database) {
    this.database = database;
  }

  /**
   * Makes the partitions of the coming week, and drops those of which all rows are older than that.
   *
   * @return whether all is done; if not, somebody reads or changes the history at this time
   */
  public boolean roll(int daysKept) throws SQLException {
    try {
      boolean made = database.inTransaction(Partitions::make);
      while (made && database.inTransaction(connection -> drop(connection, daysKept))) {
        // The next one, in a transaction of its own.
      }
      return made && database.inTransaction(connection -> pruneRest(connection, daysKept));
    } catch (SQLException e) {
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static boolean make(Connection connection) throws SQLException {
    if (!mayChange(connection)) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(MAKE)) {
      statement.setInt(1, DAYS_AHEAD);
      return statement.execute();
    }
  }

  private static boolean drop(Connection connection, int daysKept) throws SQLException {
    if (!mayChange(connection)) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(DROP)) {
      statement.setInt(1, daysKept);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private static boolean pruneRest(Connection connection, int daysKept) throws SQLException {
    for (String sql : new String[] {PRUNE_HISTORY, PRUNE_ATTEMPTS}) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, daysKept);
        statement.executeUpdate();
      }
    }
    return true;
  }

  private static boolean mayChange(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MAY_CHANGE);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(2);
    }
  }
}
