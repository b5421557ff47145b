package dev.ebb.db.connection;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
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
public final class Columns<T> {
  private final PreparedStatement statement;
  private final IntSupplier next;
  private final List<T> rows;

  /** With the place of the parameter that comes next. */
  Columns(PreparedStatement statement, IntSupplier next, List<T> rows) {
    this.statement = statement;
    this.next = next;
    this.rows = rows;
  }

  public Columns<T> text(Function<T, @Nullable String> column) throws SQLException {
    return bind("text", column, String[]::new);
  }

  public Columns<T> smallint(Function<T, @Nullable Short> column) throws SQLException {
    return bind("int2", column, Short[]::new);
  }

  public Columns<T> integer(Function<T, @Nullable Integer> column) throws SQLException {
    return bind("int4", column, Integer[]::new);
  }

  public Columns<T> bigint(Function<T, @Nullable Long> column) throws SQLException {
    return bind("int8", column, Long[]::new);
  }

  public Columns<T> real(Function<T, @Nullable Double> column) throws SQLException {
    return bind("float8", column, Double[]::new);
  }

  public Columns<T> time(Function<T, @Nullable Instant> column) throws SQLException {
    return bind(
        "timestamptz",
        row -> {
          Instant time = column.apply(row);
          return time == null ? null : time.toString();
        },
        String[]::new);
  }

  /** A column that has a value in every row. */
  public Columns<T> ints(ToIntFunction<T> column) throws SQLException {
    int[] values = new int[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(rows.get(i));
    }
    statement.setObject(next.getAsInt(), values);
    return this;
  }

  /** A column that has a value in every row. */
  public Columns<T> longs(ToLongFunction<T> column) throws SQLException {
    long[] values = new long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    statement.setObject(next.getAsInt(), values);
    return this;
  }

  /** A column that has a value in every row. */
  public Columns<T> ids(Function<T, UUID> column) throws SQLException {
    List<UUID> ids = new ArrayList<>(rows.size());
    for (T row : rows) {
      ids.add(column.apply(row));
    }
    statement.setArray(next.getAsInt(), UuidArray.of(statement.getConnection(), ids));
    return this;
  }

  private <V> Columns<T> bind(
      String type, Function<T, @Nullable V> column, IntFunction<@Nullable V[]> array)
      throws SQLException {
    @Nullable V[] values = array.apply(rows.size());
    boolean some = false;
    for (int i = 0; i < values.length; i++) {
      V value = column.apply(rows.get(i));
      values[i] = value;
      some |= value != null;
    }
    int place = next.getAsInt();
    if (some) {
      statement.setArray(place, statement.getConnection().createArrayOf(type, values));
    } else {
      statement.setNull(place, Types.ARRAY, "_" + type);
    }
    return this;
  }
}
