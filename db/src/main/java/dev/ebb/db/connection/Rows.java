package dev.ebb.db.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Instants out of the columns of a row, and durations into them. */
public final class Rows {
  private Rows() {}

  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** The duration as a number of microseconds. */
  public static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
