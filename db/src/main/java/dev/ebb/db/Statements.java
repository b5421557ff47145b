package dev.ebb.db;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * How the verbs give durations and ids, and read the second of several statements in one string.
 */
final class Statements {
  private Statements() {}

  /** The rows behind the settings. */
  static ResultSet secondResult(PreparedStatement statement) throws SQLException {
    statement.execute();
    return nextResult(statement);
  }

  /** The rows behind the result that was read last. */
  static ResultSet nextResult(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new SQLException("the next statement answered no rows");
    }
    return statement.getResultSet();
  }

  /** The ids of leases, as one array. */
  static void setIds(PreparedStatement statement, int place, Collection<Long> ids)
      throws SQLException {
    statement.setObject(place, ids.stream().mapToLong(Long::longValue).toArray());
  }

  static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
