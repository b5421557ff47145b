package dev.ebb.db;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How the verbs bind their columns, and read the second of two statements in one string. */
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

  /** Binds one column of the rows as an array, in binary. */
  static <T> void bindLongs(
      PreparedStatement statement, int place, List<T> rows, ToLongFunction<T> column)
      throws SQLException {
    statement.setObject(place, rows.stream().mapToLong(column).toArray());
  }

  /** Binds one column of the rows as an array, in binary. */
  static <T> void bindInts(
      PreparedStatement statement, int place, List<T> rows, ToIntFunction<T> column)
      throws SQLException {
    statement.setObject(place, rows.stream().mapToInt(column).toArray());
  }

  /** Binds one column of the rows as an array, in binary where the connection can. */
  static <T> void bindIds(
      PreparedStatement statement, int place, List<T> rows, Function<T, UUID> column)
      throws SQLException {
    statement.setObject(place, new UuidArray(rows.stream().map(column).toList()));
  }

  /** Binds one column of the rows as an array. */
  static <T> void bind(
      PreparedStatement statement,
      int place,
      String type,
      List<T> rows,
      Function<T, @Nullable Object> column)
      throws SQLException {
    statement.setArray(place, Arrays.of(statement.getConnection(), type, rows, column));
  }
}
