package dev.ebb.db.connection;

import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Values out of the columns of a row, and durations into them. */
public final class Rows {
  private Rows() {}

  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** An attempt's outcome as it is called: the table has an older word for one given back. */
  public static @Nullable String outcome(ResultSet row) throws SQLException {
    String stored = row.getString("outcome");
    return "released".equals(stored) ? "given_back" : stored;
  }

  public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  public static List<String> texts(ResultSet row, String column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }

  /** An array of the ids of jobs. */
  public static List<UUID> ids(ResultSet row, String column) throws SQLException {
    return List.of((UUID[]) row.getArray(column).getArray());
  }

  public static @Nullable List<String> textsOrNull(ResultSet row, String column)
      throws SQLException {
    return row.getArray(column) == null ? null : texts(row, column);
  }

  /**
   * The row as a record: each component is the column of its name, a duration one of microseconds.
   */
  public static <T extends Record> T record(ResultSet row, Class<T> type) throws SQLException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(row, column(components[i].getName()), types[i]);
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException unfit) {
      throw new SQLException("a row that is no " + type.getName(), unfit);
    }
  }

  private static String column(String component) {
    return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static @Nullable Object value(ResultSet row, String column, Class<?> type)
      throws SQLException {
    if (type == String.class) {
      return row.getString(column);
    }
    if (type == Instant.class) {
      return instantOrNull(row, column);
    }
    if (type == Duration.class) {
      Long micros = row.getObject(column, Long.class);
      return micros == null ? null : Duration.of(micros, ChronoUnit.MICROS);
    }
    return row.getObject(column, MethodType.methodType(type).wrap().returnType());
  }

  /** The duration as a number of microseconds. */
  public static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
