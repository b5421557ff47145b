package dev.ebb.bench.machine;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Short ways to what the harness asks of the server. */
public final class Sql {
  private Sql() {}

  public static Connection connect(Target target) throws SQLException {
    return DriverManager.getConnection(target.url(), target.user(), target.password());
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The number in the only row and column; zero for null. */
  public static long number(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  public static String text(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  /** How many bytes of log the server has written. */
  public static long wal(Connection admin) throws SQLException {
    return number(
        admin,
        """
        select (pg_current_wal_insert_lsn() - '0/0')::bigint
        """);
  }

  /** Has the session hold a snapshot until it is closed. */
  public static void holdSnapshot(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    execute(connection, "select count(*) from pg_class");
  }
}
