package dev.ebb.db;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One column of a list of values as an SQL array: a statement takes any number of rows at once. */
final class Arrays {
  private Arrays() {}

  static <T> Array of(
      Connection connection, String type, List<T> rows, Function<T, @Nullable Object> column)
      throws SQLException {
    @Nullable Object[] values = new @Nullable Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return connection.createArrayOf(type, values);
  }

  static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
