package dev.ebb.db.connection;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How the verbs read the second of several statements in one string, and count time. */
public final class Statements {
  private Statements() {}

  /** The rows behind the settings. */
  public static ResultSet secondResult(PreparedStatement statement) throws SQLException {
    statement.execute();
    return nextResult(statement);
  }

  /** The rows behind the result that was read last. */
  public static ResultSet nextResult(PreparedStatement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new SQLException("the next statement answered no rows");
    }
    return statement.getResultSet();
  }

  public static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
