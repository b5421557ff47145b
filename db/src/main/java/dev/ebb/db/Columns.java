package dev.ebb.db;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rows that become the parameters of a statement, an array for each column.
 *
 * <p>The driver sends an array in binary form if its class is exactly that of its elements, and a
 * column without any value costs nothing as a null, which {@code unnest} fills up with nulls. The
 * loops are plain: with a stream for each column, they would be a quarter of a settling thread's
 * time.
 */
record Columns<T>(PreparedStatement statement, List<T> rows) {

  static <T> Columns<T> of(PreparedStatement statement, List<T> rows) {
    return new Columns<>(statement, rows);
  }

  void text(int place, Function<T, @Nullable String> column) throws SQLException {
    bind(place, "text", column, String[]::new);
  }

  void smallint(int place, Function<T, @Nullable Short> column) throws SQLException {
    bind(place, "int2", column, Short[]::new);
  }

  void integer(int place, Function<T, @Nullable Integer> column) throws SQLException {
    bind(place, "int4", column, Integer[]::new);
  }

  void bigint(int place, Function<T, @Nullable Long> column) throws SQLException {
    bind(place, "int8", column, Long[]::new);
  }

  /** A column that has a value in every row. */
  void ints(int place, ToIntFunction<T> column) throws SQLException {
    int[] values = new int[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(rows.get(i));
    }
    statement.setObject(place, values);
  }

  /** A column that has a value in every row. */
  void longs(int place, ToLongFunction<T> column) throws SQLException {
    long[] values = new long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    statement.setObject(place, values);
  }

  /** A column that has a value in every row. */
  void ids(int place, Function<T, UUID> column) throws SQLException {
    List<UUID> ids = new ArrayList<>(rows.size());
    for (T row : rows) {
      ids.add(column.apply(row));
    }
    statement.setObject(place, new UuidArray(ids));
  }

  private <V> void bind(
      int place, String type, Function<T, @Nullable V> column, IntFunction<@Nullable V[]> array)
      throws SQLException {
    @Nullable V[] values = array.apply(rows.size());
    boolean some = false;
    for (int i = 0; i < values.length; i++) {
      V value = column.apply(rows.get(i));
      values[i] = value;
      some |= value != null;
    }
    if (some) {
      statement.setArray(place, statement.getConnection().createArrayOf(type, values));
    } else {
      statement.setNull(place, Types.ARRAY, "_" + type);
    }
  }
}
