package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs statements: gives them their parameters, and reads their rows. */
public final class Statements {
  private Statements() {}

  /** Prepares a statement, to be closed by the caller. */
  public static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    StatementLimit.set(statement);
    return statement;
  }

  /** Gives a statement its parameters. */
  @FunctionalInterface
  public interface Binding {
    void bind(Parameters parameters) throws SQLException;
  }

  /** Reads the row at which a result stands. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the row at which a result stands. */
  @FunctionalInterface
  public interface Taking {
    void take(ResultSet row) throws SQLException;
  }

  /** Runs the statement, and answers how many rows it wrote. */
  public static int update(Connection connection, String sql, Binding binding) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(Parameters.of(statement));
      return statement.executeUpdate();
    }
  }

  /** Runs the statement for its effect, whatever it answers. */
  public static void run(Connection connection, String sql, Binding binding) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(Parameters.of(statement));
      statement.execute();
    }
  }

  /** The rows of the statement. */
  public static <T> List<T> list(
      Connection connection, String sql, Binding binding, Reading<T> reading) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(Parameters.of(statement));
      List<T> values = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          values.add(reading.read(rows));
        }
      }
      return values;
    }
  }

  /**
   * The first row of a statement that always answers one.
   *
   * @throws SQLException with the state 02000 if somebody removed the row that it is made of
   */
  public static <T> T one(Connection connection, String sql, Binding binding, Reading<T> reading)
      throws SQLException {
    List<T> rows = list(connection, sql, binding, reading);
    if (rows.isEmpty()) {
      throw new SQLException("A row is missing that is always there", SqlStates.NO_ROW);
    }
    return rows.getFirst();
  }

  /** The first row of the statement; {@code null} if there is none. */
  public static <T> @Nullable T first(
      Connection connection, String sql, Binding binding, Reading<T> reading) throws SQLException {
    List<T> rows = list(connection, sql, binding, reading);
    return rows.isEmpty() ? null : rows.getFirst();
  }

  /** Takes each row of the second of several statements in one string, behind the settings. */
  public static void eachBehindSettings(
      Connection connection, String sql, Binding binding, Taking taking) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql)) {
      binding.bind(Parameters.of(statement));
      statement.execute();
      try (ResultSet rows = nextResult(statement)) {
        while (rows.next()) {
          taking.take(rows);
        }
      }
    }
  }

  /**
   * As {@link #eachBehindSettings}; where a lock keeps the first statement too long, rolls back and
   * has the second take what is free.
   */
  public static void eachPatiently(
      Connection connection, String patiently, String whereFree, Binding binding, Taking taking)
      throws SQLException {
    try {
      eachBehindSettings(connection, patiently, binding, taking);
    } catch (SQLException e) {
      if (!SqlStates.isLocked(e)) {
        throw e;
      }
      connection.rollback();
      eachBehindSettings(connection, whereFree, binding, taking);
    }
  }

  /** The rows behind the result that was read last. */
  public static ResultSet nextResult(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new SQLException("the next statement answered no rows");
    }
    return statement.getResultSet();
  }
}
